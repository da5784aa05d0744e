/* Makes the gate watch a program that has no Swift: `threadmill_boot` activates the gate with a
 * listener that finds nothing and, if LISTENER_SPEAKS is set, writes a line for each new nesting of
 * locks. scripts/lib/aarch64 links it. */
#include "threadmill_gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool speaks;

static const char *kind_of(const tm_object_view *object) {
  return object->kind == TM_MUTEX ? "mutex" : "other object";
}

static bool is_users(uintptr_t pc) { return !tm_is_system_code(pc) && !tm_is_gate_code(pc); }

/* The place of a held lock is read from the frame of the gate's function, the stack by frame
 * pointers: both depend on the processor. */
static void nested(const tm_thread_view *view) {
  if (!speaks || view->held_count == 0) return;
  const tm_object_view *held = &view->held[view->held_count - 1];
  bool has_callers = view->stack_count >= 2 && is_users(view->stack[0]);
  char line[128];
  int length =
      snprintf(line, sizeof line, "nested: %s inside %s, taken by %s, %s\n", kind_of(&view->wanted),
               kind_of(held), is_users(held->site[0]) ? "the program" : "unknown code",
               has_callers ? "with callers" : "without callers");
  if (write(STDERR_FILENO, line, (size_t)length) != length) abort();
}

static bool blocked(const tm_thread_view *threads, uint32_t count, uint32_t starting,
                    bool *involved) {
  (void)threads, (void)count, (void)starting, (void)involved;
  return false;
}

static void deadlocked(const tm_thread_view *threads, uint32_t count, uint32_t starting) {
  (void)threads, (void)count, (void)starting;
}

static void certain(const tm_thread_view *view, tm_certainty certainty, const tm_object_view *chain,
                    uint32_t count) {
  (void)view, (void)certainty, (void)chain, (void)count;
}

static void retired(uint64_t id) { (void)id; }

static void happened(const tm_happening *happening) { (void)happening; }

static void raced(const tm_race *race) { (void)race; }

static bool standstill(const tm_standstill *picture) {
  (void)picture;
  return false;
}

static void starved(const tm_starvation *starvation) { (void)starvation; }

static void give_up(tm_outcome outcome) { (void)outcome; }

static bool depends(const tm_dependency *dependency) {
  (void)dependency;
  return false;
}

static void independent(uint64_t from, uint64_t to) { (void)from, (void)to; }

static uint32_t way(uint64_t from, uint64_t to, tm_dependency *steps, uint32_t limit) {
  (void)from, (void)to, (void)steps, (void)limit;
  return 0;
}

static void disqualified(uint64_t id) { (void)id; }

static void settle(void) {}

static uint32_t scope_entered(void) { return 0; }

static void scope_leaving(uint32_t scope) { (void)scope; }

/* Without names of members, the compiler notices a missing one. */
#pragma clang diagnostic error "-Wmissing-field-initializers"
static const tm_listener listener = {
    nested, blocked,      deadlocked, certain,       retired,       happened,
    raced,  standstill,   starved,    give_up,       depends,       independent,
    way,    disqualified, settle,     scope_entered, scope_leaving,
};

void threadmill_boot(void);
void threadmill_boot(void) {
  static const tm_settings settings = {.hang_seconds = 60};
  speaks = getenv("LISTENER_SPEAKS") != NULL;
  tm_activate(&listener, &settings);
}
