#ifdef __linux__
#include "ground/base.h"
#include "calls/posix/file_call.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

TM_GATE_CODE_BEGIN

/* Signals. */

TM_FILE_CALL(int, sigwait, (const sigset_t *restrict set, int *restrict got), (set, got))
TM_FILE_CALL(int, sigwaitinfo, (const sigset_t *restrict set, siginfo_t *restrict got),
             (set, got))
TM_FILE_CALL(int, sigtimedwait,
             (const sigset_t *restrict set, siginfo_t *restrict got,
              const struct timespec *restrict limit),
             (set, got, limit))
TM_FILE_CALL(int, kill, (pid_t process, int number), (process, number))
TM_FILE_CALL(int, raise, (int number), (number))
TM_FILE_CALL(int, pthread_kill, (pthread_t thread, int number), (thread, number))

/* Processes. */

TM_FILE_CALL(pid_t, waitpid, (pid_t process, int *status, int options), (process, status, options))
TM_FILE_CALL(pid_t, wait, (int *status), (status))
TM_FILE_CALL(pid_t, wait4, (pid_t process, int *status, int options, struct rusage *usage),
             (process, status, options, usage))
TM_FILE_CALL(int, waitid, (idtype_t kind, id_t which, siginfo_t *news, int options),
             (kind, which, news, options))

TM_GATE_CODE_END
#endif
