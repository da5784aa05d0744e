/* setuid and its like. The kernel keeps users, groups and capabilities by thread, and libc has
 * every thread of the process make the call. If one thread's result differs from the caller's, libc
 * aborts; a thread of the gate's does differ if the program has changed the capabilities of its own
 * one. */
#ifdef __linux__
#include "ground/base.h"
#include "ground/real.h"
#include "ground/storage.h"
#include "strand/own_threads.h"
#include <grp.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

#define TM_IDENTITY(name, parameters, arguments) \
  TM_EXPORT int name parameters {                \
    bool had_watchdog = tm_own_threads_leave();  \
    int result = TM_REAL(name) arguments;        \
    tm_own_threads_return(had_watchdog);         \
    return result;                               \
  }

TM_IDENTITY(setuid, (uid_t user), (user))
TM_IDENTITY(seteuid, (uid_t user), (user))
TM_IDENTITY(setreuid, (uid_t real, uid_t effective), (real, effective))
TM_IDENTITY(setresuid, (uid_t real, uid_t effective, uid_t saved), (real, effective, saved))
TM_IDENTITY(setgid, (gid_t group), (group))
TM_IDENTITY(setegid, (gid_t group), (group))
TM_IDENTITY(setregid, (gid_t real, gid_t effective), (real, effective))
TM_IDENTITY(setresgid, (gid_t real, gid_t effective, gid_t saved), (real, effective, saved))
TM_IDENTITY(setgroups, (size_t count, const gid_t *groups), (count, groups))
TM_IDENTITY(initgroups, (const char *user, gid_t group), (user, group))

TM_GATE_CODE_END
#endif
