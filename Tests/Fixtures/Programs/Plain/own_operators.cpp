// Operators of its own for a program in C++, which are not its `malloc`, and take two locks, one
// inside the other. A block that is none of theirs ends the program.
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <unistd.h>

namespace {
constexpr std::size_t heapSize = std::size_t(1) << 26;
alignas(64) char heap[heapSize];
std::size_t used = 64;
pthread_mutex_t shelf = PTHREAD_MUTEX_INITIALIZER, label = PTHREAD_MUTEX_INITIALIZER;
long blocks;

void count(long more) {
  pthread_mutex_lock(&label);
  blocks += more;
  pthread_mutex_unlock(&label);
}

void *take(std::size_t size, std::size_t alignment) {
  pthread_mutex_lock(&shelf);
  used = (used + 16 + alignment - 1) & -alignment;
  char *block = heap + used;
  used += size;
  if (used > heapSize) std::abort();
  block[-1] = 'x';
  count(1);
  pthread_mutex_unlock(&shelf);
  return block;
}

void give(void *given) {
  if (!given) return;
  char *block = static_cast<char *>(given);
  pthread_mutex_lock(&shelf);
  if (block < heap || block >= heap + heapSize || block[-1] != 'x') {
    (void)!write(2, "not a block of these operators\n", 31);
    _exit(9);
  }
  block[-1] = 0;
  count(-1);
  pthread_mutex_unlock(&shelf);
}

// Before main, and so in the program's own code only.
struct Use {
  Use() {
    std::map<std::string, std::string> names;
    for (int i = 0; i < 100; i++) names[std::to_string(i) + std::string(40, 'a')] = "b";
  }
} use;
}  // namespace

void *operator new(std::size_t size) { return take(size, 16); }
void *operator new[](std::size_t size) { return take(size, 16); }
void *operator new(std::size_t size, std::align_val_t to) { return take(size, std::size_t(to)); }
void operator delete(void *block) noexcept { give(block); }
void operator delete[](void *block) noexcept { give(block); }
void operator delete(void *block, std::size_t) noexcept { give(block); }
void operator delete[](void *block, std::size_t) noexcept { give(block); }
void operator delete(void *block, std::align_val_t) noexcept { give(block); }
void operator delete(void *block, std::size_t, std::align_val_t) noexcept { give(block); }
