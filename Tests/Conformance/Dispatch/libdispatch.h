/* The C interface of libdispatch, as far as the cases use it. Targets in C have no path to the
 * toolchain's <dispatch/dispatch.h>, so the declarations stand here. */
#ifndef LIBDISPATCH_H
#define LIBDISPATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dispatch_object_s *dispatch_object_t, *dispatch_queue_t, *dispatch_group_t,
    *dispatch_semaphore_t, *dispatch_queue_attr_t, *dispatch_source_t;
typedef void (^dispatch_block_t)(void);
typedef void (*dispatch_function_t)(void *);
typedef uint64_t dispatch_time_t;
typedef intptr_t dispatch_once_t;
typedef unsigned long dispatch_block_flags_t;
typedef unsigned int dispatch_qos_class_t;

#define DISPATCH_TIME_NOW ((dispatch_time_t)0)
#define DISPATCH_TIME_FOREVER (~(dispatch_time_t)0)
#define NSEC_PER_MSEC 1000000ull
#define DISPATCH_QUEUE_CONCURRENT ((dispatch_queue_attr_t)&_dispatch_queue_attr_concurrent)
#define DISPATCH_TARGET_QUEUE_DEFAULT ((dispatch_queue_t)NULL)
#define DISPATCH_SOURCE_TYPE_TIMER (&_dispatch_source_type_timer)
#define DISPATCH_SOURCE_TYPE_DATA_ADD (&_dispatch_source_type_data_add)

enum {
  DISPATCH_BLOCK_BARRIER = 0x1,
  QOS_CLASS_UTILITY = 0x11,
  QOS_CLASS_USER_INITIATED = 0x19,
};

extern struct dispatch_object_s _dispatch_queue_attr_concurrent, _dispatch_main_q;
extern struct dispatch_object_s _dispatch_source_type_timer, _dispatch_source_type_data_add;

extern dispatch_time_t dispatch_time(dispatch_time_t, int64_t);
extern dispatch_time_t dispatch_walltime(const void *, int64_t);

extern void dispatch_retain(void *);
extern void dispatch_release(void *);
extern void dispatch_set_context(void *, void *);
extern void *dispatch_get_context(void *);
extern void dispatch_set_finalizer_f(void *, dispatch_function_t);
extern void dispatch_set_target_queue(void *, dispatch_queue_t);
extern void dispatch_suspend(void *);
extern void dispatch_resume(void *);
extern void dispatch_activate(void *);

extern dispatch_queue_t dispatch_queue_create(const char *, dispatch_queue_attr_t);
extern dispatch_queue_t dispatch_queue_create_with_target(const char *, dispatch_queue_attr_t,
                                                          dispatch_queue_t);
extern dispatch_queue_attr_t dispatch_queue_attr_make_initially_inactive(dispatch_queue_attr_t);
extern dispatch_queue_attr_t dispatch_queue_attr_make_with_qos_class(dispatch_queue_attr_t,
                                                                     dispatch_qos_class_t, int);
extern dispatch_queue_t dispatch_get_global_queue(intptr_t, uintptr_t);
extern const char *dispatch_queue_get_label(dispatch_queue_t);
extern dispatch_qos_class_t dispatch_queue_get_qos_class(dispatch_queue_t, int *);
extern void dispatch_queue_set_specific(dispatch_queue_t, const void *, void *,
                                        dispatch_function_t);
extern void *dispatch_queue_get_specific(dispatch_queue_t, const void *);
extern void *dispatch_get_specific(const void *);
extern void dispatch_assert_queue(dispatch_queue_t);
extern void dispatch_assert_queue_barrier(dispatch_queue_t);
extern void dispatch_assert_queue_not(dispatch_queue_t);
extern void dispatch_main(void) __attribute__((noreturn));

extern void dispatch_sync(dispatch_queue_t, dispatch_block_t);
extern void dispatch_sync_f(dispatch_queue_t, void *, dispatch_function_t);
extern void dispatch_barrier_sync(dispatch_queue_t, dispatch_block_t);
extern void dispatch_barrier_sync_f(dispatch_queue_t, void *, dispatch_function_t);
extern void dispatch_async_and_wait(dispatch_queue_t, dispatch_block_t);
extern void dispatch_async_and_wait_f(dispatch_queue_t, void *, dispatch_function_t);
extern void dispatch_barrier_async_and_wait(dispatch_queue_t, dispatch_block_t);
extern void dispatch_barrier_async_and_wait_f(dispatch_queue_t, void *, dispatch_function_t);
extern void dispatch_async(dispatch_queue_t, dispatch_block_t);
extern void dispatch_async_f(dispatch_queue_t, void *, dispatch_function_t);
extern void dispatch_barrier_async(dispatch_queue_t, dispatch_block_t);
extern void dispatch_barrier_async_f(dispatch_queue_t, void *, dispatch_function_t);
extern void dispatch_after(dispatch_time_t, dispatch_queue_t, dispatch_block_t);
extern void dispatch_after_f(dispatch_time_t, dispatch_queue_t, void *, dispatch_function_t);
extern void dispatch_apply(size_t, dispatch_queue_t, void (^)(size_t));
extern void dispatch_apply_f(size_t, dispatch_queue_t, void *, void (*)(void *, size_t));
extern void dispatch_once(dispatch_once_t *, dispatch_block_t);
extern void dispatch_once_f(dispatch_once_t *, void *, dispatch_function_t);

extern dispatch_group_t dispatch_group_create(void);
extern void dispatch_group_async(dispatch_group_t, dispatch_queue_t, dispatch_block_t);
extern void dispatch_group_async_f(dispatch_group_t, dispatch_queue_t, void *, dispatch_function_t);
extern intptr_t dispatch_group_wait(dispatch_group_t, dispatch_time_t);
extern void dispatch_group_notify(dispatch_group_t, dispatch_queue_t, dispatch_block_t);
extern void dispatch_group_notify_f(dispatch_group_t, dispatch_queue_t, void *,
                                    dispatch_function_t);
extern void dispatch_group_enter(dispatch_group_t);
extern void dispatch_group_leave(dispatch_group_t);

extern dispatch_semaphore_t dispatch_semaphore_create(intptr_t);
extern intptr_t dispatch_semaphore_signal(dispatch_semaphore_t);
extern intptr_t dispatch_semaphore_wait(dispatch_semaphore_t, dispatch_time_t);

extern dispatch_block_t dispatch_block_create(dispatch_block_flags_t, dispatch_block_t);
extern dispatch_block_t dispatch_block_create_with_qos_class(dispatch_block_flags_t,
                                                             dispatch_qos_class_t, int,
                                                             dispatch_block_t);
extern void dispatch_block_perform(dispatch_block_flags_t, dispatch_block_t);
extern intptr_t dispatch_block_wait(dispatch_block_t, dispatch_time_t);
extern void dispatch_block_notify(dispatch_block_t, dispatch_queue_t, dispatch_block_t);
extern void dispatch_block_cancel(dispatch_block_t);
extern intptr_t dispatch_block_testcancel(dispatch_block_t);
extern void *_Block_copy(const void *);
extern void _Block_release(const void *);

extern dispatch_source_t dispatch_source_create(const void *, uintptr_t, uintptr_t,
                                                dispatch_queue_t);
extern void dispatch_source_set_event_handler(dispatch_source_t, dispatch_block_t);
extern void dispatch_source_set_cancel_handler(dispatch_source_t, dispatch_block_t);
extern void dispatch_source_set_timer(dispatch_source_t, dispatch_time_t, uint64_t, uint64_t);
extern void dispatch_source_merge_data(dispatch_source_t, uintptr_t);
extern void dispatch_source_cancel(dispatch_source_t);

#endif
