/* The functions that the gate stands in front of.
 *
 * The next function in the chain is the sanitizer's interceptor if the sanitizer lives in our image
 * (it must stay in the chain, or TSan loses its happens-before edges, and ASan the threads); libc's
 * own if TSan lives in another image (then TSan calls us); else the one that the dynamic linker has
 * next. */
#ifndef TM_REAL_H
#define TM_REAL_H
#include "ground/base.h"
#include "ground/dispatch.h"
#include "ground/facts.h"
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* The begin of a static variable inside of a function of C++; no header declares it. Returns 0 if
 * the variable is initialised. */
int __cxa_guard_acquire(uint64_t *guard);

/* clang-format off */
#define TM_FUNCTIONS(X) \
  X(pthread_mutex_lock) X(pthread_mutex_trylock) X(pthread_mutex_timedlock) \
  X(pthread_mutex_clocklock) X(pthread_mutex_unlock) X(pthread_mutex_init) \
  X(pthread_mutex_destroy) X(pthread_rwlock_init) X(pthread_rwlock_destroy) \
  X(pthread_rwlock_unlock) X(pthread_rwlock_rdlock) X(pthread_rwlock_tryrdlock) \
  X(pthread_rwlock_timedrdlock) X(pthread_rwlock_clockrdlock) X(pthread_rwlock_wrlock) \
  X(pthread_rwlock_trywrlock) X(pthread_rwlock_timedwrlock) X(pthread_rwlock_clockwrlock) \
  X(pthread_cond_init) X(pthread_cond_destroy) X(pthread_cond_wait) X(pthread_cond_timedwait) \
  X(pthread_cond_clockwait) X(pthread_cond_signal) X(pthread_cond_broadcast) X(pthread_create) \
  X(pthread_join) X(pthread_tryjoin_np) X(pthread_timedjoin_np) X(pthread_clockjoin_np) \
  X(pthread_detach) X(sem_init) X(sem_destroy) X(sem_wait) X(sem_trywait) X(sem_timedwait) \
  X(sem_clockwait) X(sem_post) X(pthread_spin_init) X(pthread_spin_destroy) \
  X(pthread_spin_lock) X(pthread_spin_trylock) X(pthread_spin_unlock) X(pthread_barrier_wait) \
  X(sleep) X(usleep) X(nanosleep) X(clock_nanosleep) X(clock_gettime) X(gettimeofday) \
  X(time) X(dispatch_sync) X(dispatch_sync_f) \
  X(dispatch_barrier_sync) X(dispatch_barrier_sync_f) X(dispatch_async_and_wait) \
  X(dispatch_async_and_wait_f) X(dispatch_barrier_async_and_wait) \
  X(dispatch_barrier_async_and_wait_f) X(dispatch_async) X(dispatch_async_f) \
  X(dispatch_barrier_async) X(dispatch_barrier_async_f) X(dispatch_group_create) \
  X(dispatch_group_enter) X(dispatch_group_leave) X(dispatch_group_wait) \
  X(dispatch_group_notify) X(dispatch_group_notify_f) X(dispatch_group_async) \
  X(dispatch_group_async_f) X(dispatch_after) X(dispatch_after_f) X(dispatch_apply) \
  X(dispatch_apply_f) X(dispatch_once) X(dispatch_once_f) X(dispatch_semaphore_create) \
  X(dispatch_semaphore_wait) X(dispatch_semaphore_signal) X(dispatch_block_create) \
  X(dispatch_block_create_with_qos_class) X(dispatch_block_perform) X(dispatch_block_wait) \
  X(dispatch_block_notify) X(dispatch_block_cancel) X(dispatch_queue_create) \
  X(dispatch_queue_create_with_target) X(dispatch_set_target_queue) X(dispatch_suspend) \
  X(dispatch_resume) X(dispatch_activate) X(dispatch_main) \
  X(dispatch_source_set_event_handler) X(dispatch_source_set_cancel_handler) \
  X(dispatch_source_set_registration_handler) X(dispatch_source_set_timer) \
  X(dispatch_source_set_event_handler_f) X(dispatch_source_create) X(dispatch_release) \
  X(read) X(recv) X(recvfrom) X(recvmsg) \
  X(accept) X(accept4) X(connect) X(poll) X(ppoll) X(select) X(pselect) X(epoll_wait) \
  X(epoll_pwait) X(epoll_pwait2) X(epoll_ctl) X(readv) X(eventfd_read) X(write) X(writev) X(send) \
  X(sendto) X(sendmsg) X(eventfd_write) X(shutdown) X(close) X(timerfd_settime) \
  X(timerfd_gettime) X(sigwait) X(sigwaitinfo) X(sigtimedwait) X(kill) X(raise) X(pthread_kill) \
  X(wait) X(wait4) X(waitid) X(sigaltstack) X(sigaction) X(waitpid) X(posix_spawn) X(posix_spawnp) \
  X(prctl) X(pthread_once) X(__cxa_guard_acquire)
/* clang-format on */

/* Taken over, and unknown to TSan. */
#define TM_PLAIN_FUNCTIONS(X)                                                                      \
  X(swift_task_localValuePush)                                                                     \
  X(swift_task_localValuePop)                                                                      \
  X(dispatch_queue_set_width)                                                                      \
  X(swift_continuation_init)                                                                       \
  X(swift_continuation_await)                                                                      \
  X(swift_task_addCancellationHandler)                                                             \
  X(swift_task_dealloc)                                                                            \
  X(dispatch_source_merge_data)                                                                    \
  X(dispatch_source_cancel)                                                                        \
  X(dispatch_assert_queue)                                                                         \
  X(swift_task_switch)                                                                             \
  X(swift_continuation_resume)                                                                     \
  X(swift_continuation_throwingResume)                                                             \
  X(swift_continuation_throwingResumeWithError)                                                    \
  X(swift_reportError)                                                                             \
  X(setpriority)                                                                                   \
  X(nice) X(sched_setscheduler) X(sched_setparam) X(pthread_setschedparam) X(pthread_setschedprio) \
      X(pthread_attr_setschedpolicy) X(swift_once) X(sched_yield) X(dispatch_block_testcancel)   \
      X(setuid) X(seteuid) X(setreuid) X(setresuid) X(setgid) X(setegid) X(setregid) X(setresgid)  \
      X(setgroups) X(initgroups) X(pthread_cancel)

/* Only called. */
#define TM_HELPERS(X)                            \
  X(_Block_copy)                                 \
  X(_Block_release)                              \
  X(_NSConcreteStackBlock)                       \
  X(_dispatch_main_q)                            \
  X(dispatch_queue_get_label)                    \
  X(dispatch_get_current_queue)                  \
  X(dispatch_queue_get_qos_class)                \
  X(dispatch_get_global_queue)                   \
  X(dispatch_retain)                             \
  X(dispatch_get_context)                        \
  X(_dispatch_source_type_timer)                 \
  X(dispatch_queue_attr_make_initially_inactive) \
  X(swift_task_getCurrent)                       \
  X(swift_task_alloc)                            \
  X(swift_task_suspend)                          \
  X(swift_task_getCurrentExecutor)               \
  X(swift_task_localValueGet)                    \
  X(swift_task_getJobFlags)                      \
  X(swift_task_getJobTaskId)                     \
  X(swift_task_currentPriority)                  \
  X(swift_task_isCancelled)                      \
  X(swift_concurrency_jobPriority)               \
  X(_swift_concurrency_debug_asyncTaskMetadata)  \
  X(_swift_concurrency_debug_jobMetadata)        \
  X(swift_demangle) X(_swift_backtrace_demangle) X(_swift_backtrace_isThunkFunction)

#define TM_WITH_CANCELLATION_HANDLER                                                    \
  "$ss27withTaskCancellationHandler9operation8onCancel9isolationxxyYaKXE_yyYbXEScA_pSg" \
  "YitYaKlF"

#define TM_LAZY_LOAD "$s15Synchronization19AtomicLazyReferenceV4loadxSgyF"
#define TM_LAZY_STORE "$s15Synchronization19AtomicLazyReferenceV10storeIfNilyxxnF"
#define TM_TASK_CANCEL "$sScT6cancelyyF"
#define TM_OWN_CHECK "$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ"

/* Functions of Swift's concurrency library, by names of ours: those that cancel, that ask whether a
 * task is cancelled, and that give something to a stream. */
#define TM_CANCELLING_FUNCTIONS(X)            \
  X(current_cancel, "$sSct6cancelyyF")        \
  X(group_cancel, "$sScG9cancelAllyyF")       \
  X(throwing_cancel, "$sScg9cancelAllyyF")    \
  X(discarding_cancel, "$ss19DiscardingTaskGroupV9cancelAllyyF") \
  X(throwing_discarding_cancel, "$ss27ThrowingDiscardingTaskGroupV9cancelAllyyF")
#define TM_ASKING_FUNCTIONS(X)                                            \
  X(task_cancelled, "$sScT11isCancelledSbvg")                             \
  X(own_cancelled, "$sScTss5NeverORszABRs_rlE11isCancelledSbvgZ")         \
  X(current_cancelled, "$sSct11isCancelledSbvg")                          \
  X(group_cancelled, "$sScG11isCancelledSbvg")                            \
  X(throwing_cancelled, "$sScg11isCancelledSbvg")                         \
  X(discarding_cancelled, "$ss19DiscardingTaskGroupV11isCancelledSbvg")   \
  X(throwing_discarding_cancelled, "$ss27ThrowingDiscardingTaskGroupV11isCancelledSbvg")
#define TM_STREAM_FUNCTIONS(X)                                                             \
  X(stream_yield, "$sScS12ContinuationV5yieldyAB11YieldResultOyx__GxnF")                   \
  X(stream_yield_result,                                                                   \
    "$sScS12ContinuationV5yield4withAB11YieldResultOyx__Gs0E0Oyxs5NeverOG_tF")             \
  X(stream_yield_nothing, "$sScS12ContinuationV5yieldAB11YieldResultOyyt__GyytRszlF")      \
  X(stream_finish, "$sScS12ContinuationV6finishyyF")                                       \
  X(throwing_yield, "$sScs12ContinuationV5yieldyAB11YieldResultOyxq___GxnF")               \
  X(throwing_yield_result, "$sScs12ContinuationV5yield4withAB11YieldResultOyxs5Error_p__G" \
                           "s0E0OyxsAG_pG_tsAG_pRs_rlF")                                   \
  X(throwing_yield_nothing, "$sScs12ContinuationV5yieldAB11YieldResultOyytq___GyytRszrlF") \
  X(throwing_finish, "$sScs12ContinuationV6finish8throwingyq_Sgn_tF")

#define TM_FIELD(name) void *name;
#define TM_NAMED_FIELD(name, symbol) void *name;
extern struct tm_real {
  TM_FUNCTIONS(TM_FIELD)
  TM_PLAIN_FUNCTIONS(TM_FIELD)
  TM_HELPERS(TM_FIELD)
  TM_CANCELLING_FUNCTIONS(TM_NAMED_FIELD)
  TM_ASKING_FUNCTIONS(TM_NAMED_FIELD)
  TM_STREAM_FUNCTIONS(TM_NAMED_FIELD)
  void *tm_word_take, *tm_word_try, *tm_word_give; /* see mutex_word.h */
  void *mutex_lock_slow, *mutex_try_lock_slow, *mutex_unlock_slow, *int_metadata,
      *dispatch_concurrent_attribute, *thread_quality, *clock, *checked_resume,
      *checked_resume_throwing, *task_cancel, *own_check, *with_cancellation_handler,
      *lazy_load, *lazy_store;
} tm_real;

/* Functions that TSan intercepts and that the gate calls past the interceptor where strands have
 * fibres (strand/fibre.h): libdispatch's own. NULL where they have none. */
/* clang-format off */
#define TM_STRAND_FUNCTIONS(X) \
  X(dispatch_async) X(dispatch_async_f) X(dispatch_barrier_async) X(dispatch_barrier_async_f) \
  X(dispatch_after) X(dispatch_after_f) X(dispatch_group_async) X(dispatch_group_async_f) \
  X(dispatch_group_notify) X(dispatch_group_notify_f) X(dispatch_apply_f) \
  X(dispatch_source_set_event_handler) X(dispatch_source_set_cancel_handler) \
  X(dispatch_source_set_registration_handler)
/* clang-format on */
extern struct tm_strand_real {
  TM_STRAND_FUNCTIONS(TM_FIELD)
} tm_strand_real;
void tm_strand_real_resolve(void);

/* The function that replaces the real `pthread_create`; NULL if none does. */
extern void *tm_real_creation;

/* Finds all these functions; may be called again after a library was loaded. */
void tm_real_resolve(void);
/* Looks up this function alone and returns it; if it is not found, ends the process with an
 * internal error. */
void *tm_real_demand(void **field, const char *name);

/* The real function with this name, of the type that is given or that C knows. */
#define TM_REAL_AS(type, name) \
  ((type)(TM_LIKELY(tm_real.name) ? tm_real.name : tm_real_demand(&tm_real.name, #name)))
#define TM_REAL(name) TM_REAL_AS(__typeof__(&name), name)
/* The function to submit work with that the gate runs as a strand: libdispatch's own if strands
 * have fibres. While an exploration runs, the Scheduler's. */
#define TM_STRAND_REAL(name) \
  (tm_passes_sanitizer() ? (__typeof__(&name))tm_strand_real.name : TM_REAL(name))
TM_INLINE bool tm_passes_sanitizer(void) {
  return TM_UNLIKELY(tm_strand_real.dispatch_async != NULL) &&
         !atomic_load_explicit(&tm_controlling, memory_order_relaxed);
}
/* A helper, or NULL; the type is the caller's to give. */
#define TM_HELPER(type, name) ((type)tm_real.name)

#endif
