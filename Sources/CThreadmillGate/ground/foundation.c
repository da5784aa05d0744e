#ifdef __linux__
#include "ground/base.h"
#include "ground/foundation.h"
#include "ground/kernel.h"
#include "ground/real.h"
#include "ground/swift_layout.h"
#include "ground/swift_values.h"
#include "ground/text.h"
#include "threadmill_events.h"
#include <dlfcn.h>

TM_GATE_CODE_BEGIN

#define MANGLED "$s10Foundation"

tm_operation_functions tm_foundation;

/* Class metadata and its descriptor as the Swift ABI lays them out. */
typedef struct class_descriptor {
  uint32_t flags;
  int32_t parent, name, accessor, fields, superclass;
  uint32_t negative_words, positive_words, members, field_count, field_offsets;
} class_descriptor;

typedef struct class_metadata {
  uintptr_t kind, superclass;
  uint32_t flags, instance_address, instance_size;
  uint16_t alignment, reserved;
  uint32_t class_size, class_address;
  const class_descriptor *descriptor;
} class_metadata;

typedef struct field_record {
  uint32_t flags;
  int32_t type, name;
} field_record;

typedef struct field_list {
  int32_t type, superclass;
  uint16_t kind, record_size;
  uint32_t count;
  field_record records[];
} field_list;

enum { NOT_FOUND = 0, LARGEST_CLASS = 1 << 14 };
static struct {
  bool known;
  uint32_t state, queue, ready, cancelled; /* of an operation */
  uint32_t most_at_once, is_main;          /* of a queue */
  uint32_t list, called, suspended;        /* these may be missing */
  uint32_t lock, mutex;                    /* of a queue, of an NSLock; they may be missing, too */
  uint32_t says_finished, says_executing;  /* places in the tables of classes */
  void *finished, *finished_path, *executing_path;
  void *dependencies, *name, *type_name, *release, *release_text;
  const void *queue_class;
} found;

static const void *relative(const int32_t *at) { return *at ? (const char *)at + *at : NULL; }

static uint32_t offset_of(const class_metadata *class, const char *field) {
  const class_descriptor *d = class->descriptor;
  const field_list *list = d ? relative(&d->fields) : NULL;
  if (!list || list->record_size != sizeof(field_record)) return NOT_FOUND;
  for (uint32_t i = 0; i < list->count; i++) {
    const char *name = relative(&list->records[i].name);
    if (!name || !tm_text_is(name, field)) continue;
    uintptr_t offset = ((const uintptr_t *)class)[d->field_offsets + i];
    return offset < class->instance_size ? (uint32_t)offset : NOT_FOUND;
  }
  return NOT_FOUND;
}

/* Returns the number of words before the address of a class; the next function, the number from
 * there on. */
static uint32_t words_before(const class_metadata *class) {
  return class->class_address / sizeof(uintptr_t);
}
static uint32_t words_from(const class_metadata *class) {
  bool plausible = class->class_address >= 16 && class->class_address < class->class_size &&
                   class->class_size < LARGEST_CLASS;
  return plausible ? (class->class_size - class->class_address) / sizeof(uintptr_t) : 0;
}

static uint32_t place_in_table(const class_metadata *class, const void *function) {
  for (uint32_t i = 0; function && i < words_from(class); i++)
    if (((void *const *)class)[i] == function) return i;
  return NOT_FOUND;
}

static void replace(class_metadata *class, const tm_operation_functions *ours) {
  uint32_t before = words_before(class);
  uint32_t count = words_from(class) ? before + words_from(class) : 0;
  void **table = (void **)class - before;
  void *const *theirs = (void *const *)&tm_foundation, *const *mine = (void *const *)ours;
  for (uint32_t i = 0; i < count; i++)
    for (int n = 0; n < TM_OPERATION_FUNCTION_COUNT; n++)
      if (theirs[n] && table[i] == theirs[n]) table[i] = mine[n];
}

static void *foundation(void) {
  void *library = dlopen("libFoundation.so", RTLD_LAZY | RTLD_NOLOAD);
  return library && dlsym(library, MANGLED "9OperationCN") ? library : NULL;
}

static void resolve(void *library) {
#define LOOK_UP(name, symbol) tm_foundation.name = dlsym(library, MANGLED symbol);
  TM_OPERATION_FUNCTIONS(LOOK_UP)
}

static bool all_functions_found(void) {
  void *const *functions = (void *const *)&tm_foundation;
  for (int n = 0; n < TM_OPERATION_FUNCTION_COUNT; n++)
    if (!functions[n]) return false;
  return true;
}

static bool find_helpers(void *library) {
  found.finished = dlsym(library, MANGLED "9OperationC10isFinishedSbvg");
  found.finished_path = dlsym(library, MANGLED "9OperationC10isFinishedSbvgTq");
  found.executing_path = dlsym(library, MANGLED "9OperationC11isExecutingSbvgTq");
  found.dependencies = dlsym(library, MANGLED "9OperationC12dependenciesSayACGvg");
  found.name = dlsym(library, MANGLED "9OperationC4nameSSSgvg");
  found.type_name = dlsym(library, "swift_getTypeName");
  found.release = dlsym(library, "swift_release");
  found.release_text = dlsym(library, "swift_bridgeObjectRelease");
  return found.finished && found.finished_path && found.executing_path && found.dependencies &&
         found.name && found.type_name && found.release && found.release_text;
}

static bool find_places(const class_metadata *operation, const class_metadata *queue,
                        const void *executing) {
  found.state = offset_of(operation, "__state");
  found.queue = offset_of(operation, "__queue");
  found.ready = offset_of(operation, "__cachedIsReady");
  found.cancelled = offset_of(operation, "__isCancelled");
  found.list = offset_of(operation, "__dependencies");
  found.called = offset_of(operation, "__name");
  found.suspended = offset_of(queue, "__suspended");
  found.lock = offset_of(queue, "__queueLock");
  found.most_at_once = offset_of(queue, "__maxNumOps");
  found.is_main = offset_of(queue, "__mainQ");
  found.says_finished = place_in_table(operation, found.finished);
  found.says_executing = place_in_table(operation, executing);
  return found.state && found.queue && found.ready && found.cancelled && found.most_at_once &&
         found.is_main && found.says_finished && found.says_executing;
}

/* Returns whether the class names its descriptor where it is expected. */
static bool is_described_by(const class_metadata *class, const void *descriptor) {
  const char *at = (const char *)class + tm_moved[TM_LAYOUT_OPERATION];
  return descriptor && ((const class_metadata *)at)->descriptor == descriptor;
}

static void find_in(void *library, const tm_operation_functions *ours) {
  resolve(library);
  class_metadata *operation = dlsym(library, MANGLED "9OperationCN");
  class_metadata *block = dlsym(library, MANGLED "14BlockOperationCN");
  class_metadata *queue = dlsym(library, MANGLED "14OperationQueueCN");
  const void *executing = dlsym(library, MANGLED "9OperationC11isExecutingSbvg");
  if (!block || !queue || !all_functions_found() || !find_helpers(library)) return;
  const void *descriptor = dlsym(library, MANGLED "9OperationCMn");
  found.queue_class = queue;
  const class_metadata *lock = dlsym(library, MANGLED "6NSLockCN");
  const void *lock_descriptor = dlsym(library, MANGLED "6NSLockCMn");
  if (lock && is_described_by(lock, lock_descriptor)) found.mutex = offset_of(lock, "mutex");
  found.known = is_described_by(operation, descriptor) && find_places(operation, queue, executing);
  if (!found.known) return;
  replace(operation, ours), replace(block, ours), replace(queue, ours);
}

void tm_foundation_prepare(const tm_operation_functions *ours) {
  void *library = foundation();
  if (library) find_in(library, ours);
  if (library && !found.known) tm_layout_compared(TM_LAYOUT_OPERATION, false);
}

void *tm_foundation_demand(void **field) {
  if (TM_LIKELY(*field != NULL)) return *field;
  void *library = foundation();
  if (library) resolve(library);
  return *field ? *field : tm_real_demand(field, "an operation of Foundation");
}

void tm_foundation_find(void **field, const char *symbol) {
  void *library = foundation();
  if (library) *field = dlsym(library, symbol);
}

void *tm_foundation_function(void **field, const char *symbol) {
  if (TM_LIKELY(*field != NULL)) return *field;
  tm_foundation_find(field, symbol);
  return *field ? *field : tm_real_demand(field, symbol);
}

#define AT(type, object, offset) (*(const volatile type *)((const char *)(object) + (offset)))

static bool is_queue(const void *object) {
  const class_metadata *class = *(const class_metadata *const *)object;
  while (class && class != found.queue_class) class = (const class_metadata *)class->superclass;
  return class != NULL;
}

/* Compares the fields of an operation that came by with the values that they can have. */
static bool is_plausible(const void *o) {
  const void *queue = tm_operation_queue(o);
  return tm_operation_now(o) <= TM_STATE_FINISHED && AT(uint8_t, o, found.ready) <= 1 &&
         AT(uint8_t, o, found.cancelled) <= 1 && (!queue || is_queue(queue));
}

bool tm_foundation_knows(const void *operation) {
  if (tm_layout_is_unknown(TM_LAYOUT_OPERATION))
    tm_layout_compared(TM_LAYOUT_OPERATION, found.known && is_plausible(operation));
  return tm_layout_is_usable(TM_LAYOUT_OPERATION);
}

tm_operation_state tm_operation_now(const void *o) {
  return (tm_operation_state)AT(uint8_t, o, found.state);
}
const void *tm_operation_queue(const void *o) {
  return (const void *)AT(uintptr_t, o, found.queue);
}
bool tm_operation_seems_ready(const void *o) { return AT(uint8_t, o, found.ready) & 1; }
bool tm_operation_cancelled(const void *o) { return AT(uint8_t, o, found.cancelled) & 1; }
bool tm_operation_queue_is_serial(const void *q) {
  return AT(intptr_t, q, found.most_at_once) == 1;
}
bool tm_operation_queue_is_main(const void *q) { return AT(uint8_t, q, found.is_main) & 1; }

const void *tm_operation_queue_mutex(const void *q) {
  const void *lock = found.lock && found.mutex ? (const void *)AT(uintptr_t, q, found.lock) : NULL;
  return lock ? (const void *)AT(uintptr_t, lock, found.mutex) : NULL;
}

bool tm_operation_queue_is_suspended(const void *q) {
  return found.suspended && AT(uint8_t, q, found.suspended) & 1;
}
const void *tm_operation_list(const void *o) {
  return found.list ? (const void *)AT(uintptr_t, o, found.list) : NULL;
}

static void *table_entry(const void *operation, uint32_t place) {
  return (*(void **const *)operation)[place];
}

typedef TM_SWIFT bool (*question)(TM_FOUNDATION_SELF);

bool tm_operation_finishes_itself(const void *o) {
  return table_entry(o, found.says_finished) == found.finished;
}
bool tm_operation_says_finished(const void *o) {
  return ((question)table_entry(o, found.says_finished))(o) & 1;
}
bool tm_operation_says_executing(const void *o) {
  return ((question)table_entry(o, found.says_executing))(o) & 1;
}

tm_operation_key tm_operation_key_named(uint64_t first, uint64_t second) {
  char text[16];
  if (!tm_string_small((tm_string_words){first, second}, text)) return TM_KEY_OTHER;
  if (tm_text_is(text, "isFinished") || tm_text_is(text, "finished")) return TM_KEY_FINISHED;
  if (tm_text_is(text, "isExecuting") || tm_text_is(text, "executing")) return TM_KEY_EXECUTING;
  return TM_KEY_OTHER;
}

/* The path of one property names it by its descriptor, in the only component after its header. */
enum { PATH_COMPONENT = 5, PATH_WORDS = 8, PATH_HEADER = 2 };

static tm_operation_key key_of(const void *property) {
  if (property == found.finished_path) return TM_KEY_FINISHED;
  return property == found.executing_path ? TM_KEY_EXECUTING : TM_KEY_OTHER;
}

/* The layout fits if the component is one of the two descriptors; it does not if another word of
 * the path is one. */
static void compare_path(const void *path) {
  const void *words[PATH_WORDS];
  if (!tm_peek(path, words, sizeof words)) return;
  for (uint32_t i = PATH_HEADER; i < PATH_WORDS; i++)
    if (key_of(words[i]) != TM_KEY_OTHER)
      tm_layout_compared(TM_LAYOUT_KEY_PATH,
                         i == PATH_COMPONENT + tm_moved[TM_LAYOUT_KEY_PATH] / sizeof *words);
}

tm_operation_key tm_operation_key_of_path(const void *path) {
  if (tm_layout_is_unknown(TM_LAYOUT_KEY_PATH)) compare_path(path);
  if (!tm_layout_is_usable(TM_LAYOUT_KEY_PATH)) return TM_KEY_OTHER;
  return key_of(((const void *const *)path)[PATH_COMPONENT]);
}

typedef TM_SWIFT const void *(*list_function)(TM_FOUNDATION_SELF);
typedef void (*release_function)(const void *);

const void *tm_operation_dependencies(const void *operation) {
  return ((list_function)found.dependencies)(operation);
}
void tm_array_release(const void *array) { ((release_function)found.release)(array); }

typedef TM_SWIFT tm_string_words (*text_function)(TM_FOUNDATION_SELF);
typedef struct type_name {
  const char *text;
  uint64_t length;
} type_name;
typedef TM_SWIFT type_name (*type_name_function)(const void *metadata, bool qualified);

static void label(const void *operation, tm_string_words name, char *text, uint32_t size) {
  type_name type = ((type_name_function)found.type_name)(*(const void *const *)operation, false);
  uint32_t at = tm_text_append(type.text, type.length, text, 0, size);
  if (!name.second) return;
  uint32_t begin = tm_text_append(" ", 1, text, at, size);
  if (tm_string_append(name, text, begin, size) == begin) text[at] = 0;
}

void tm_operation_label_still(const void *operation, char *text, uint32_t size) {
  tm_string_words name = {0, 0};
  if (found.called) tm_copy(&name, (const char *)operation + found.called, sizeof name);
  label(operation, name, text, size);
}

void tm_operation_label(const void *operation, char *text, uint32_t size) {
  tm_string_words name = ((text_function)found.name)(operation);
  label(operation, name, text, size);
  if (!name.second) return;
  ((release_function)found.release_text)((const void *)name.second);
}

TM_GATE_CODE_END
#endif
