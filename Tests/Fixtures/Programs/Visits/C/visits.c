#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "visits.h"

/* The program's own versions of functions that Thread Sanitizer takes over. They write down who is
 * called while the images are visited. Under the sanitizer its own ones remain. */
#if defined(__linux__) && !__has_feature(thread_sanitizer)
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local uint32_t visiting;
static atomic_uint visits;

#define FUNCTIONS(X)                                                                        \
  X(memcmp) X(memcpy) X(memmove) X(memset) X(strchr) X(strcmp) X(strcpy) X(strlen)          \
  X(strncmp) X(strrchr) X(strstr)

enum {
#define NUMBER(name) NUMBER_##name,
  FUNCTIONS(NUMBER) COUNT
};
static const char *const names[] = {
#define NAME(name) #name,
    FUNCTIONS(NAME)};
static atomic_bool called[COUNT];

#define NOTE(name)                                                                          \
  if (visiting) atomic_store(&called[NUMBER_##name], true)

typedef int iterate(int (*visitor)(struct dl_phdr_info *, size_t, void *), void *context);
static iterate *real;

typedef struct visit {
  int (*visitor)(struct dl_phdr_info *, size_t, void *);
  void *context;
} visit;

static int pass_on(struct dl_phdr_info *info, size_t size, void *context) {
  visit *v = context;
  visiting++;
  int result = v->visitor(info, size, v->context);
  visiting--;
  return result;
}

int dl_iterate_phdr(int (*visitor)(struct dl_phdr_info *, size_t, void *), void *context) {
  visit v = {visitor, context};
  atomic_fetch_add(&visits, 1);
  return real(pass_on, &v);
}

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  NOTE(memcpy);
  for (size_t i = 0; i < size; i++) ((char *)to)[i] = ((const char *)from)[i];
  return to;
}

void *memmove(void *to, const void *from, size_t size) {
  NOTE(memmove);
  if ((uintptr_t)to - (uintptr_t)from < size)
    for (size_t i = size; i > 0; i--) ((char *)to)[i - 1] = ((const char *)from)[i - 1];
  else
    for (size_t i = 0; i < size; i++) ((char *)to)[i] = ((const char *)from)[i];
  return to;
}

void *memset(void *at, int value, size_t size) {
  NOTE(memset);
  for (size_t i = 0; i < size; i++) ((char *)at)[i] = (char)value;
  return at;
}

int memcmp(const void *a, const void *b, size_t size) {
  NOTE(memcmp);
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < size; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

static size_t length_of(const char *text) {
  size_t length = 0;
  for (; text[length];) length++;
  return length;
}

static int compare(const char *a, const char *b, size_t limit) {
  for (size_t i = 0; i < limit; i++)
    if (a[i] != b[i] || !a[i]) return (unsigned char)a[i] - (unsigned char)b[i];
  return 0;
}

size_t strlen(const char *text) {
  NOTE(strlen);
  return length_of(text);
}

int strcmp(const char *a, const char *b) {
  NOTE(strcmp);
  return compare(a, b, SIZE_MAX);
}

int strncmp(const char *a, const char *b, size_t limit) {
  NOTE(strncmp);
  return compare(a, b, limit);
}

char *strcpy(char *restrict to, const char *restrict from) {
  NOTE(strcpy);
  for (size_t i = 0; (to[i] = from[i]);) i++;
  return to;
}

char *strchr(const char *text, int wanted) {
  NOTE(strchr);
  for (; *text != (char)wanted; text++)
    if (!*text) return NULL;
  return (char *)text;
}

char *strrchr(const char *text, int wanted) {
  NOTE(strrchr);
  for (size_t i = length_of(text) + 1; i > 0; i--)
    if (text[i - 1] == (char)wanted) return (char *)text + i - 1;
  return NULL;
}

char *strstr(const char *text, const char *part) {
  NOTE(strstr);
  size_t length = length_of(part);
  for (;; text++) {
    if (compare(text, part, length) == 0) return (char *)text;
    if (!*text) return NULL;
  }
}

void visits_tell(const char *what) {
  dprintf(1, "%s: %s", what, atomic_exchange(&visits, 0) ? "visited" : "not visited");
  for (int i = 0; i < COUNT; i++)
    if (atomic_exchange(&called[i], false)) dprintf(1, ", %s", names[i]);
  dprintf(1, "\n");
}

static void tell_end(void) { visits_tell("end"); }

/* Registered before everything else, so that it is called after everything else. */
static void begin(void) {
  real = (iterate *)dlsym(RTLD_NEXT, "dl_iterate_phdr");
  atexit(tell_end);
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = begin;

static int measure(struct dl_phdr_info *info, size_t size, void *context) {
  size_t (*volatile function)(const char *) = strlen;
  *(size_t *)context += function(info->dlpi_name);
  return (void)size, 0;
}

void visits_misbehave(void) {
  size_t lengths = 0;
  dl_iterate_phdr(measure, &lengths);
}
#else
void visits_tell(const char *what) { (void)what; }
void visits_misbehave(void) {}
#endif
