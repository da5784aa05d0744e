/* Correct, but for its child: a process that forks and runs the program whose path it is given,
 * and ends with 7. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t purse = PTHREAD_MUTEX_INITIALIZER;

static void *spend(void *unused) {
  pthread_mutex_lock(&purse);
  pthread_mutex_unlock(&purse);
  return unused;
}

int main(int count, char **arguments) {
  pthread_t thread;
  pthread_create(&thread, NULL, spend, NULL);
  pthread_join(thread, NULL);
  pid_t child = fork();
  if (child == 0) {
    /* Where nothing but this thread is left, locks have to work on. */
    spend(NULL);
    if (count > 1) execv(arguments[1], arguments + 1);
    _exit(99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 7 : 8;
}
