/* Mistakes of the kind that operating systems had: use of what another thread takes away. */
#include "port.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
  int *inode;
  int object;
  int revoked, installed, bound, running, freed, uses;
} shared;

static void begin(void) {
  memset(&shared, 0, sizeof shared);
  shared.inode = &shared.object;
  port_begin();
}

/* A pointer is checked, and used in a second look. */
static void *open_pipe(void *unused) {
  pthread_mutex_lock(&lock);
  bool some = shared.inode != NULL;
  pthread_mutex_unlock(&lock);
  if (some) {
    shared.uses++;
    port_check(shared.inode != NULL);
  }
  return unused;
}

static void *release_pipe(void *unused) {
  pthread_mutex_lock(&lock);
  shared.inode = NULL;
  pthread_mutex_unlock(&lock);
  return unused;
}

static bool lost_pipe(void) {
  begin();
  port_start(open_pipe, NULL);
  port_start(release_pipe, NULL);
  return port_end();
}

/* A key is validated, and revoked before it is read. */
static void *read_key(void *unused) {
  if (shared.revoked) return unused;
  pthread_mutex_lock(&lock);
  port_check(!shared.revoked || shared.object == 0);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *revoke_key(void *unused) {
  pthread_mutex_lock(&lock);
  shared.object = 1;
  shared.revoked = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

static bool revoked_key(void) {
  begin();
  port_start(read_key, NULL);
  port_start(revoke_key, NULL);
  return port_end();
}

/* A group is unlinked by one thread while another one binds to it and a third one lets it run. */
static void *bind_socket(void *unused) {
  if (!shared.running) return unused;
  shared.bound = 1;
  if (shared.freed) port_check(!shared.bound);
  return unused;
}

static void *run_socket(void *unused) {
  shared.running = 1;
  shared.uses++;
  shared.running = 0;
  return unused;
}

static void *free_socket(void *unused) {
  if (shared.bound) return unused;
  shared.freed = 1;
  return unused;
}

static bool freed_group(void) {
  begin();
  port_start(free_socket, NULL);
  port_start(bind_socket, NULL);
  port_start(run_socket, NULL);
  return port_end();
}

/* A count of references that is checked and then lowered. */
static void *drop_reference(void *unused) {
  int left = __atomic_load_n(&shared.uses, __ATOMIC_SEQ_CST);
  __atomic_store_n(&shared.uses, left - 1, __ATOMIC_SEQ_CST);
  if (left - 1 == 0) shared.freed++;
  return unused;
}

static bool double_free(void) {
  begin();
  shared.uses = 2;
  port_start_many(drop_reference, 2);
  bool failed = port_end();
  return failed || shared.freed != 1;
}

static const bench_port ports[] = {
    {"lost-pipe", lost_pipe},
    {"revoked-key", revoked_key},
    {"freed-group", freed_group},
    {"double-free", double_free},
    {NULL, NULL},
};

bench_port bench_kernel(int number) { return ports[number]; }
