// The same in C++: threads and conditions that the standard library makes for the program.
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

bool repaired;
std::mutex mutex;

// One thread uses what another one has given back.
auto *names = new std::vector<std::string>;

void append() {
  std::unique_lock lock(mutex);
  bool is_there = names != nullptr;
  if (!repaired) {
    lock.unlock();
    lock.lock();
  }
  if (is_there) names->push_back("a name that is too long to be kept in place");
}

void give_back() {
  std::lock_guard lock(mutex);
  delete names;
  names = nullptr;
}

int use_after_free() {
  std::thread one(append), two(give_back);
  one.join();
  two.join();
  return 0;
}

// One wake-up for two waiters.
int wakes_one() {
  std::condition_variable condition;
  bool is_ready = false;
  auto wait = [&] {
    std::unique_lock lock(mutex);
    condition.wait(lock, [&] { return is_ready; });
  };
  std::thread one(wait), two(wait);
  {
    std::lock_guard lock(mutex);
    is_ready = true;
  }
  if (repaired) condition.notify_all();
  else condition.notify_one();
  one.join();
  two.join();
  return 0;
}

// Initialisers that lock, one of which fails at its first call. Correct.
int initialises() {
  static std::once_flag once;
  static int calls = 0;
  auto ask = [] {
    static const int answer = [] {
      std::lock_guard lock(mutex);
      return 42;
    }();
    try {
      std::call_once(once, [] {
        std::lock_guard lock(mutex);
        if (calls++ == 0) throw std::runtime_error("not yet");
      });
    } catch (const std::runtime_error &) {
    }
    return answer;
  };
  std::thread one(ask), two(ask);
  one.join();
  two.join();
  return calls == 2 ? 0 : 3;
}

} // namespace

int main(int count, char **words) {
  repaired = count > 2 && std::strcmp(words[2], "repaired") == 0;
  const std::string name = count > 1 ? words[1] : "";
  if (name == "use-after-free") return use_after_free();
  if (name == "wakes-one") return wakes_one();
  if (name == "initialises") return initialises();
  std::fprintf(stderr, "there is no such program\n");
  return 64;
}
