/* What a process may not do, or takes from itself: memory, stacks, processors, files, places,
 * system calls. setrlimit(2), chroot(2), mlockall(2), seccomp(2). */
#include "conformance_posix.h"
#include "opposite_orders.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void limit_to(int what, rlim_t most) {
  struct rlimit limit = {most, most};
  EXPECT_OK(setrlimit(what, &limit));
}

/* The pages that the process has now, and so many bytes. */
static rlim_t address_space_and(rlim_t bytes) {
  unsigned long pages = 0;
  FILE *sizes = fopen("/proc/self/statm", "r");
  if (!sizes || fscanf(sizes, "%lu", &pages) != 1) abort();
  fclose(sizes);
  return pages * (rlim_t)sysconf(_SC_PAGESIZE) + bytes;
}

/* Room for the stacks of the two threads, and little more. */
static void no_more_address_space(void) {
  limit_to(RLIMIT_AS, address_space_and(20 << 20));
  take_opposite_orders();
  EXPECT(mmap(NULL, 64 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED, true);
  _exit(conformance_failures());
}

/* No room at all: no allocation succeeds that needs the system. */
static void no_address_space_at_all(void) {
  limit_to(RLIMIT_AS, 0);
  take_forth(NULL);
  take_back(NULL);
  EXPECT(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED, true);
  _exit(conformance_failures());
}

static void no_data(void) {
  limit_to(RLIMIT_DATA, 0);
  take_forth(NULL);
  take_back(NULL);
  _exit(conformance_failures());
}

static void *unchanged(void *value) { return value; }

static void no_more_threads(void) {
  EXPECT_OK(setresgid(65534, 65534, 65534));
  EXPECT_OK(setresuid(65534, 65534, 65534));
  limit_to(RLIMIT_NPROC, 0);
  pthread_t thread;
  EXPECT_CODE(pthread_create(&thread, NULL, unchanged, NULL), EAGAIN);
  take_forth(NULL);
  take_back(NULL);
  EXPECT_ERRNO(fork(), EAGAIN);
  _exit(conformance_failures());
}

static void all_memory_locked(void) {
  EXPECT_OK(mlockall(MCL_CURRENT | MCL_FUTURE));
  take_opposite_orders();
  _exit(conformance_failures());
}

static void *sum_on_stack(void *unused) {
  volatile char room[64 << 10];
  for (size_t i = 0; i < sizeof room; i += 512) room[i] = 1;
  take_forth(unused);
  return unused;
}

/* The main thread's stack may grow no more. */
static void little_stack(void) {
  limit_to(RLIMIT_STACK, 256 << 10);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 128 << 10);
  pthread_t thread;
  EXPECT_OK(pthread_create(&thread, &attributes, sum_on_stack, NULL));
  EXPECT_OK(pthread_join(thread, NULL));
  take_back(NULL);
  _exit(conformance_failures());
}

static void one_processor(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  EXPECT_OK(sched_setaffinity(0, sizeof one, &one));
  take_opposite_orders();
  _exit(conformance_failures());
}

static void idle_priority(void) {
  struct sched_param none = {0};
  EXPECT_OK(sched_setscheduler(0, SCHED_IDLE, &none));
  take_opposite_orders();
  _exit(conformance_failures());
}

/* Places. */

static void shut_in(void) {
  char folder[] = "/tmp/conformance-XXXXXX";
  EXPECT(mkdtemp(folder) != NULL, true);
  EXPECT_OK(chroot(folder));
  EXPECT_OK(chdir("/"));
  take_opposite_orders();
  EXPECT_ERRNO(access("/proc", F_OK), ENOENT);
  _exit(conformance_failures());
}

static void in_a_deleted_folder(void) {
  char folder[] = "/tmp/conformance-XXXXXX";
  EXPECT(mkdtemp(folder) != NULL, true);
  EXPECT_OK(chdir(folder));
  EXPECT_OK(rmdir(folder));
  take_opposite_orders();
  EXPECT_ERRNO(open("file", O_CREAT | O_WRONLY, 0600), ENOENT);
  _exit(conformance_failures());
}

static void no_rights_for_new_files(void) {
  umask(0777);
  take_opposite_orders();
  EXPECT(umask(0777), 0777);
  _exit(conformance_failures());
}

static void streams_closed_from_the_first(void) {
  EXPECT_OK(close(STDIN_FILENO));
  EXPECT_OK(close(STDERR_FILENO));
  take_opposite_orders();
  EXPECT(open("/dev/null", O_RDONLY), STDIN_FILENO);
  EXPECT(open("/dev/null", O_WRONLY), STDERR_FILENO);
  _exit(conformance_failures());
}

/* Files of the program's own have the numbers that it gives them. */
static void numbers_of_its_own(void) {
  take_opposite_orders();
  for (int number = 3; number < 64; number++)
    if (dup2(STDERR_FILENO, number) != number) EXPECT(number, -1);
  take_opposite_orders();
  EXPECT_OK(close_range(3, 63, 0));
  _exit(conformance_failures());
}

/* System calls. */

static void lock_in_strict_mode(void *unused) {
  (void)unused;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) _exit(1);
  take_forth(NULL);
  take_back(NULL);
  syscall(SYS_exit, 7);
}

/* Reading, writing and exiting are allowed, and nothing else. */
static void only_strict_system_calls(void) {
  EXPECT(conformance_child(lock_in_strict_mode, NULL), 7);
}

/* In the first process, which is watched. */
static void only_strict_system_calls_here(void) {
  take_forth(NULL);
  lock_in_strict_mode(NULL);
}

const conformance_case limit_cases[] = {
    {"limit.address-space", no_more_address_space, 0, "its shadow memory is reserved"},
    {"limit.no-address-space", no_address_space_at_all, 0, "its shadow memory is reserved"},
    {"limit.no-data", no_data, 0, "its allocator ends the process"},
    {"limit.no-more-threads", no_more_threads},
    {"limit.all-memory-locked", all_memory_locked, 0, "its shadow memory is too large"},
    {"limit.little-stack", little_stack},
    {"limit.one-processor", one_processor},
    {"limit.idle-priority", idle_priority},
    {"place.shut-in", shut_in},
    {"place.deleted", in_a_deleted_folder},
    {"place.no-rights", no_rights_for_new_files},
    {"stream.closed-from-the-first", streams_closed_from_the_first},
    {"stream.numbers-of-its-own", numbers_of_its_own},
    {"calls.strict-in-a-child", only_strict_system_calls, 0, "it makes system calls of its own"},
    {"calls.strict", only_strict_system_calls_here, 7, "it makes system calls of its own"},
    {NULL},
};
