/* Dispatch objects as a C program uses them. Threadmill is linked and never called. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern void *dispatch_queue_create(const char *label, void *attribute);
extern void *dispatch_group_create(void);
extern void dispatch_group_enter(void *group);
extern void dispatch_group_leave(void *group);
extern intptr_t dispatch_group_wait(void *group, uint64_t until);
extern void dispatch_group_notify_f(void *group, void *queue, void *context, void (*work)(void *));
extern void dispatch_group_async_f(void *group, void *queue, void *context, void (*work)(void *));
extern void dispatch_async_f(void *queue, void *context, void (*work)(void *));
extern void dispatch_sync_f(void *queue, void *context, void (*work)(void *));
extern void *dispatch_semaphore_create(intptr_t value);
extern intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t until);
extern intptr_t dispatch_semaphore_signal(void *semaphore);
extern void dispatch_suspend(void *object);
extern void dispatch_resume(void *object);
extern void dispatch_retain(void *object);
extern void dispatch_release(void *object);

static const uint64_t forever = ~0ull;

static void nothing(void *unused) { (void)unused; }
static void leave(void *group) { dispatch_group_leave(group); }

static void semaphore_in_use(void) {
  void *semaphore = dispatch_semaphore_create(3);
  dispatch_semaphore_wait(semaphore, forever);
  dispatch_release(semaphore);
}

/* What another reference keeps alive is not freed. */
static void semaphore_kept(void) {
  void *semaphore = dispatch_semaphore_create(3);
  dispatch_retain(semaphore);
  dispatch_semaphore_wait(semaphore, forever);
  dispatch_release(semaphore);
  dispatch_semaphore_signal(semaphore);
  dispatch_release(semaphore);
}

static void queue_suspended(void) {
  void *queue = dispatch_queue_create("asleep", NULL);
  dispatch_suspend(queue);
  dispatch_release(queue);
}

static void queue_kept_by_its_work(void) {
  void *queue = dispatch_queue_create("awake", NULL);
  dispatch_suspend(queue);
  dispatch_async_f(queue, NULL, nothing);
  dispatch_resume(queue);
  dispatch_release(queue);
}

static void notified_early(void) {
  void *queue = dispatch_queue_create("work", NULL), *group = dispatch_group_create();
  dispatch_group_notify_f(group, queue, NULL, nothing);
  dispatch_group_enter(group);
  dispatch_async_f(queue, group, leave);
  dispatch_sync_f(queue, NULL, nothing);
  dispatch_release(group);
}

/* The group lives on until the last leave; its notification comes. */
static void group_released_while_entered(void) {
  void *queue = dispatch_queue_create("work", NULL), *group = dispatch_group_create();
  void *told = dispatch_semaphore_create(0);
  dispatch_group_enter(group);
  dispatch_group_async_f(group, queue, NULL, nothing);
  dispatch_group_notify_f(group, queue, told, (void (*)(void *))dispatch_semaphore_signal);
  dispatch_async_f(queue, group, leave);
  dispatch_release(group);
  dispatch_semaphore_wait(told, forever);
  dispatch_release(told);
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"semaphore-in-use", semaphore_in_use},
    {"semaphore-kept", semaphore_kept},
    {"queue-suspended", queue_suspended},
    {"queue-kept-by-its-work", queue_kept_by_its_work},
    {"notified-early", notified_early},
    {"group-released-while-entered", group_released_while_entered},
};

int main(int count, char **arguments) {
  for (unsigned i = 0; count == 2 && i < sizeof cases / sizeof *cases; i++) {
    if (strcmp(cases[i].name, arguments[1]) != 0) continue;
    cases[i].run();
    return 0;
  }
  fputs("usage: plain-objects CASE\n", stderr);
  return 2;
}
