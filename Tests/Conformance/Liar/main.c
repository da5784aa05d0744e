/* Cases that go wrong on purpose, each in its own way: the judge of the judge. */
#include "conformance.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static void wrong_number(void) { EXPECT(1 + 1, 3); }
static void wrong_code(void) { EXPECT_CODE(EBUSY, 0); }
static void wrong_errno(void) { EXPECT_ERRNO(close(-1), EINTR); }
static void wrong_text(void) { conformance_text("text", "got", "wanted"); }

static int changes_errno(void) {
  errno = EDOM;
  return 0;
}

static void touched_errno(void) { EXPECT_OK(changes_errno()); }

static void lie(void *unused) {
  (void)unused;
  EXPECT(1, 2);
}

static void wrong_in_child(void) { EXPECT(conformance_child(lie, NULL), 0); }
static void wrong_status(void) { exit(3); }
static void dies(void) { abort(); }
static void survives(void) { EXPECT(1, 1); }
static void right(void) { EXPECT(1, 1); }

static const conformance_case cases[] = {
    {"liar.number", wrong_number},
    {"liar.code", wrong_code},
    {"liar.errno", wrong_errno},
    {"liar.text", wrong_text},
    {"liar.touched-errno", touched_errno},
    {"liar.child", wrong_in_child},
    {"liar.status", wrong_status},
    {"liar.dies", dies},
    {"liar.survives", survives, CONFORMANCE_SIGNAL + SIGABRT},
    {"honest", right},
    {NULL},
};

int main(int argc, char **argv) {
  const conformance_case *const tables[] = {cases, NULL};
  return conformance_main(argc, argv, tables);
}
