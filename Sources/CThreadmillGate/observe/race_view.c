#ifdef __linux__
#include "ground/base.h"
#include "code/code_kind.h"
#include "code/stack.h"
#include "ground/tsan.h"
#include "object/object.h"
#include "observe/race_report.h"
#include "strand/fibre.h"
#include "strand/part.h"
#include "strand/errand.h"
#include "threadmill_gate.h"
#include "threadmill_race.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

static tm_stack_view shown_trace(const tm_race_trace *kept, uint32_t thread) {
  return (tm_stack_view){kept->addresses, kept->count, thread};
}

static uint32_t known(const tm_race_report *r, int number) {
  for (int i = 0; i < r->thread_count; i++)
    if (r->threads[i].number == number) return r->threads[i].known;
  return 0;
}

static int fibre_of(const tm_race_report *r, int number) {
  for (int i = 0; i < r->thread_count; i++)
    if (r->threads[i].number == number) return r->threads[i].fibre;
  return -1;
}

/* A report names the fibre of a strand. The first access is that of the thread that reports. */
static void show_strand(const tm_race_report *r, int index, tm_race_access *shows) {
  const tm_race_trace *stack = &r->accesses[index].stack;
  int fibre = fibre_of(r, r->accesses[index].thread);
  shows->certain = fibre < 0 || index == 0;
  if (fibre < 0) return;
  tm_fibre_past past = tm_fibre_did(fibre, stack->work);
  shows->thread = index == 0 ? r->reporter : past.thread;
  shows->certain = index == 0 || past.certain;
  shows->task = past.task;
  const tm_errand *work = tm_errand_of(stack->work);
  shows->work = stack->work ? work->kind : TM_RACE_BLOCK;
  shows->label = work->label ? tm_text_kept(work->label) : NULL;
  shows->submitted = (tm_stack_view){work->site, tm_site_end(work->site, TM_SITE), 0};
}

static void show_accesses(const tm_race_report *r, tm_race *view) {
  view->access_count = r->access_count;
  for (int i = 0; i < r->access_count; i++) {
    const tm_raw_access *a = &r->accesses[i];
    tm_race_access *shows = &view->accesses[i];
    *shows = (tm_race_access){.thread = known(r, a->thread),
                              .scope = i == 0 && r->scope ? r->scope : a->stack.scope,
                              .address = (uintptr_t)a->address,
                              .size = a->size,
                              .writes = a->writes != 0,
                              .atomic = a->atomic != 0};
    show_strand(r, i, shows);
    shows->stack = shown_trace(&a->stack, shows->thread);
  }
}

/* Fibres are left out. */
static void show_threads(const tm_race_report *r, tm_race *view) {
  for (int i = 0; i < r->thread_count; i++) {
    const tm_raw_thread *a = &r->threads[i];
    if (a->fibre >= 0) continue;
    tm_race_thread *shows = &view->threads[view->thread_count++];
    *shows = (tm_race_thread){.thread = a->known, .is_main = a->number == 0};
    shows->creator = a->watched ? a->known_creator : known(r, a->creator);
    shows->created = shown_trace(&a->created, shows->creator);
    if (a->watched) shows->created.addresses = tm_stack_kept(a->place, &shows->created.count);
    tm_copy(shows->name, a->name, TM_RACE_THREAD_NAME);
  }
}

/* An object that is gone by now is told by its stack only. */
static void show_object(const void *address, tm_kind kind, tm_object_view *view) {
  tm_kind there;
  if (!tm_object_kind(address, &there) || (int)there == TM_ITEM_KIND) return;
  tm_object_describe(address, there == TM_MUTEX ? kind : there, TM_EXCLUSIVE, view);
}

static bool is_held(const tm_race_report *r, const void *address) {
  for (uint32_t i = 0; i < r->held_count; i++)
    if (r->held[i].object == address) return true;
  return false;
}

/* Adds the mutexes that the thread holds, or held a moment ago. */
static void show_mutexes(const tm_race_report *r, tm_race *view) {
  for (uint32_t i = 0; i < r->held_count; i++) {
    const tm_hold *h = &r->held[i];
    tm_object_view *shows = &view->held[view->held_count];
    tm_object_describe(h->object, h->kind, h->mode, shows);
    if (shows->id == 0) continue;
    tm_site_copy(shows->site, h->site);
    view->held_count++;
  }
  view->mutex_count = r->mutex_count;
  for (int i = 0; i < r->mutex_count; i++) {
    const tm_raw_mutex *a = &r->mutexes[i];
    view->mutexes[i].address = (uintptr_t)a->address;
    view->mutexes[i].held_now = is_held(r, a->address);
    view->mutexes[i].created = shown_trace(&a->created, 0);
    show_object(a->address, TM_MUTEX, &view->mutexes[i].object);
  }
}

static void show_memory(const tm_race_report *r, tm_race *view) {
  view->memory = r->memory;
  view->memory_thread = known(r, r->memory_thread);
  view->memory_start = r->start;
  view->memory_size = r->size;
  view->file = r->file;
  view->allocated = shown_trace(&r->allocated, view->memory_thread);
  if (r->memory != TM_MEMORY_GLOBAL || !__tsan_locate_address) return;
  unsigned long start = 0, size = 0;
  __tsan_locate_address((unsigned long)r->accesses[0].address, view->memory_name, TM_RACE_NAME - 1,
                        &start, &size);
  view->memory_start = start;
  view->memory_size = size;
}

void tm_race_view(const tm_race_report *r, tm_race *view) {
  tm_clear(view, sizeof *view);
  view->description = r->description;
  view->slept = shown_trace(&r->slept, 0);
  view->scope = r->scope;
  tm_site_copy(view->submitted, r->submitted);
  for (int i = 0; i < r->access_count; i++) view->explored |= r->accesses[i].stack.explored;
  show_accesses(r, view);
  show_threads(r, view);
  show_memory(r, view);
  show_mutexes(r, view);
}

TM_GATE_CODE_END
#endif
