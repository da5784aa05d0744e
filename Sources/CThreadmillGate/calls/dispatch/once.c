#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/dispatch.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "observe/inversion.h"
#include "seam/seam.h"
#include "seam/users_call.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* The thread that runs the initialiser of a once holds the token: other threads wait for it, like
 * for a lock that is taken only one time. A call with a token that is done goes straight to the
 * real function. */

enum { DONE = -1 };

typedef struct once {
  tm_thread *thread;
  tm_operation op;
  dispatch_function_t work;
  void *context;
} once;

static void initialise(void *context) {
  once *o = context;
  o->op.action = TM_TRY;
  tm_after(o->thread, &o->op, true);
  o->work(o->context);
  o->op.action = TM_RELEASE;
  tm_before(o->thread, &o->op);
}

static void first_time(tm_thread *t, dispatch_once_t *token, void *context,
                       dispatch_function_t work, void *frame) {
  once o = {
      t, {.action = TM_ACQUIRE, .object = token, .kind = TM_ONCE, .frame = frame}, work, context};
  tm_site_take(t, frame, o.op.site);
  tm_before(t, &o.op);
  TM_REAL(dispatch_once_f)(token, &o, initialise);
  tm_wait_end(t);
  if (o.op.inversion) tm_inversion_end(t, &o.op);
}

static void invoke_once(void *block) { ((tm_block *)block)->invoke(block); }

TM_EXPORT void dispatch_once(dispatch_once_t *token, dispatch_block_t block) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (!t || *token == DONE) return TM_REAL(dispatch_once)(token, block);
  first_time(t, token, block, invoke_once, __builtin_frame_address(0));
}

TM_EXPORT void dispatch_once_f(dispatch_once_t *token, void *context, dispatch_function_t work) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (!t || *token == DONE) return TM_REAL(dispatch_once_f)(token, context, work);
  first_time(t, token, context, work, __builtin_frame_address(0));
}

TM_GATE_CODE_END
#endif
