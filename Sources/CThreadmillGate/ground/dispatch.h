/* libdispatch's C interface as far as the gate takes it over. Declared here because its headers are
 * not on the search path of a C target; objects and blocks are plain pointers. */
#ifndef TM_DISPATCH_H
#define TM_DISPATCH_H
#include <stdint.h>
#include <stddef.h>

typedef void *dispatch_queue_t;
typedef void *dispatch_group_t;
typedef void *dispatch_semaphore_t;
typedef void *dispatch_object_t;
typedef void *dispatch_block_t;
typedef uint64_t dispatch_time_t;
typedef intptr_t dispatch_once_t;
typedef void (*dispatch_function_t)(void *);
#define DISPATCH_TIME_FOREVER (~0ull)
#define DISPATCH_TIME_NOW 0ull
#define DISPATCH_WALLTIME_NOW (~1ull)
/* Flags of a work item: it is a barrier; its quality of service wins over the queue's. */
#define DISPATCH_BLOCK_BARRIER 0x1ul
#define DISPATCH_BLOCK_ENFORCE_QOS_CLASS 0x20ul

void dispatch_sync(dispatch_queue_t, dispatch_block_t);
void dispatch_sync_f(dispatch_queue_t, void *, dispatch_function_t);
void dispatch_barrier_sync(dispatch_queue_t, dispatch_block_t);
void dispatch_barrier_sync_f(dispatch_queue_t, void *, dispatch_function_t);
void dispatch_async_and_wait(dispatch_queue_t, dispatch_block_t);
void dispatch_async_and_wait_f(dispatch_queue_t, void *, dispatch_function_t);
void dispatch_barrier_async_and_wait(dispatch_queue_t, dispatch_block_t);
void dispatch_barrier_async_and_wait_f(dispatch_queue_t, void *, dispatch_function_t);
void dispatch_async(dispatch_queue_t, dispatch_block_t);
void dispatch_async_f(dispatch_queue_t, void *, dispatch_function_t);
void dispatch_barrier_async(dispatch_queue_t, dispatch_block_t);
void dispatch_barrier_async_f(dispatch_queue_t, void *, dispatch_function_t);
dispatch_group_t dispatch_group_create(void);
void dispatch_group_enter(dispatch_group_t);
void dispatch_group_leave(dispatch_group_t);
intptr_t dispatch_group_wait(dispatch_group_t, dispatch_time_t);
void dispatch_group_notify(dispatch_group_t, dispatch_queue_t, dispatch_block_t);
void dispatch_group_notify_f(dispatch_group_t, dispatch_queue_t, void *, dispatch_function_t);
void dispatch_group_async(dispatch_group_t, dispatch_queue_t, dispatch_block_t);
void dispatch_group_async_f(dispatch_group_t, dispatch_queue_t, void *, dispatch_function_t);
void dispatch_after(dispatch_time_t, dispatch_queue_t, dispatch_block_t);
void dispatch_after_f(dispatch_time_t, dispatch_queue_t, void *, dispatch_function_t);
void dispatch_apply(size_t, dispatch_queue_t, dispatch_block_t);
void dispatch_apply_f(size_t, dispatch_queue_t, void *, void (*)(void *, size_t));
void dispatch_once(dispatch_once_t *, dispatch_block_t);
void dispatch_once_f(dispatch_once_t *, void *, dispatch_function_t);
dispatch_semaphore_t dispatch_semaphore_create(intptr_t);
intptr_t dispatch_semaphore_wait(dispatch_semaphore_t, dispatch_time_t);
intptr_t dispatch_semaphore_signal(dispatch_semaphore_t);
dispatch_block_t dispatch_block_create(unsigned long, dispatch_block_t);
dispatch_block_t dispatch_block_create_with_qos_class(unsigned long, unsigned, int,
                                                      dispatch_block_t);
void dispatch_block_perform(unsigned long, dispatch_block_t);
intptr_t dispatch_block_wait(dispatch_block_t, dispatch_time_t);
void dispatch_block_notify(dispatch_block_t, dispatch_queue_t, dispatch_block_t);
void dispatch_block_cancel(dispatch_block_t);
intptr_t dispatch_block_testcancel(dispatch_block_t);
dispatch_queue_t dispatch_queue_create(const char *, void *);
dispatch_queue_t dispatch_queue_create_with_target(const char *, void *, dispatch_queue_t);
void dispatch_queue_set_width(dispatch_queue_t, long);
void dispatch_set_target_queue(dispatch_object_t, dispatch_queue_t);
void dispatch_suspend(dispatch_object_t);
void dispatch_resume(dispatch_object_t);
void dispatch_activate(dispatch_object_t);
void dispatch_main(void);
void dispatch_release(dispatch_object_t);
dispatch_object_t dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask,
                                         dispatch_queue_t);
void dispatch_source_set_event_handler(dispatch_object_t, dispatch_block_t);
void dispatch_source_set_event_handler_f(dispatch_object_t, dispatch_function_t);
void dispatch_source_set_timer(dispatch_object_t, dispatch_time_t, uint64_t, uint64_t);
void dispatch_source_set_cancel_handler(dispatch_object_t, dispatch_block_t);
void dispatch_source_set_registration_handler(dispatch_object_t, dispatch_block_t);
void dispatch_source_merge_data(dispatch_object_t, uintptr_t);
void dispatch_source_cancel(dispatch_object_t);

/* A block, by the published block ABI. */
typedef struct tm_block {
  void *isa;
  int32_t flags, reserved;
  void (*invoke)(void *);
  void *descriptor;
} tm_block;

/* A block's flags and descriptor (published block ABI). */
enum { TM_BLOCK_HAS_COPY_DISPOSE = 1 << 25 };
typedef struct tm_block_descriptor {
  uintptr_t reserved, size;
  void (*copy)(void *, const void *);
  void (*dispose)(const void *);
} tm_block_descriptor;
#endif
