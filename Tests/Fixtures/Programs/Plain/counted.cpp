// Two threads count visitors without a lock. With an argument, the program is repaired.
#include <cassert>
#include <mutex>
#include <thread>

namespace {

class Visitors {
 public:
  explicit Visitors(bool is_repaired) : is_repaired(is_repaired) {}

  void add() {
    std::unique_lock<std::mutex> locked(lock, std::defer_lock);
    if (is_repaired) locked.lock();
    count = count + 1;
  }

  int count = 0;

 private:
  std::mutex lock;
  bool is_repaired;
};

}  // namespace

int main(int count, char **) {
  Visitors visitors(count > 1);
  std::thread one([&] { visitors.add(); });
  std::thread other([&] { visitors.add(); });
  one.join();
  other.join();
  assert(visitors.count == 2);
}
