/* Facts: what a case saw, next to what it should have seen. */
#include "conformance.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static atomic_int failures;

int conformance_failures(void) { return atomic_load(&failures); }

/* One write per line, without stdio: its locks are part of what is under test. */
static void state(const char *line, int length, size_t room) {
  size_t count = length < 0 ? 0 : (size_t)length < room ? (size_t)length : room - 1;
  ssize_t written = write(STDOUT_FILENO, line, count);
  if (written != (ssize_t)count) atomic_fetch_add(&failures, 1);
}

void conformance_text(const char *what, const char *got, const char *expected) {
  char line[512];
  int length;
  if (strcmp(got, expected) == 0) {
    length = snprintf(line, sizeof line, "%s=%s\n", what, got);
  } else {
    atomic_fetch_add(&failures, 1);
    length = snprintf(line, sizeof line, "FAILED %s: expected %s, got %s\n", what, expected, got);
  }
  state(line, length, sizeof line);
}

void conformance_int(const char *what, long long got, long long expected) {
  char words[2][24];
  snprintf(words[0], sizeof words[0], "%lld", got);
  snprintf(words[1], sizeof words[1], "%lld", expected);
  conformance_text(what, words[0], words[1]);
}

void conformance_code(const char *what, int got, int expected) {
  const char *names[] = {strerrorname_np(got), strerrorname_np(expected)};
  if (names[0] == NULL || names[1] == NULL) {
    conformance_int(what, got, expected);
  } else {
    conformance_text(what, names[0], names[1]);
  }
}
