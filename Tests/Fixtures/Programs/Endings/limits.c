/* Surroundings in which a write to a file brings a signal. */
#include "endings.h"
#include <sys/resource.h>
#include <unistd.h>

int returns_with_full_files(void) {
  struct rlimit none = {0, 0};
  return setrlimit(RLIMIT_FSIZE, &none) == 0 ? 0 : 98;
}

int returns_without_reader(void) {
  int ends[2];
  if (pipe(ends) != 0 || dup2(ends[1], STDERR_FILENO) < 0) return 98;
  close(ends[0]), close(ends[1]);
  return 0;
}
