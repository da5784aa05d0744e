/* Loads libraries, LIBRARY…, and has the last one do what it does as a program. */
#include <dlfcn.h>
#include <stddef.h>

int main(int count, char **arguments) {
  void *last = NULL;
  for (int i = 1; i < count; i++)
    if (!(last = dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL))) return 2;
  int (*run)(void) = last ? (int (*)(void))dlsym(last, "main") : NULL;
  return run ? run() : 2;
}
