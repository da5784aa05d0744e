#ifndef __linux__
/* Other systems: no function is taken over and no call is watched, so that a package for several
 * systems can depend on Threadmill. A message says so once per process. */
#include "threadmill_gate.h"
#include "threadmill_race.h"
#include "threadmill_shake.h"
#include "threadmill_steer.h"
#include <stddef.h>
#include <unistd.h>

__attribute__((constructor)) static void say_so(void) {
  static const char words[] = "threadmill: this system is not watched; Threadmill works on Linux\n";
  (void)!write(2, words, sizeof words - 1);
}

const char *const tm_count_names[TM_COUNTS] = {"", "", "", "", "", "", "", "", "",
                                               "", "", "", "", "", "", "", ""};
uint64_t tm_counted(tm_count which) { return (void)which, 0; }
void tm_activate(const tm_listener *listener, const tm_settings *settings) {
  (void)listener, (void)settings;
}
void tm_deactivate(void) {}
bool tm_is_active(void) { return false; }
bool tm_is_primary(void) { return false; }
void tm_watch_again(uint64_t address) { (void)address; }
void tm_shake(const tm_plan *plan, uint32_t scope) { (void)plan, (void)scope; }
void tm_shake_end(uint32_t scope) { (void)scope; }
bool tm_is_shaking(void) { return false; }
uint32_t tm_shake_thread_pairs(void) { return 0; }
void tm_shake_near_each(tm_near_visitor visit, void *context) { (void)visit, (void)context; }
void tm_shake_near_add(uintptr_t place, uint32_t weight) { (void)place, (void)weight; }
bool tm_place_named(uintptr_t place, const char **image, uint64_t *offset) {
  return (void)place, (void)image, (void)offset, false;
}
uintptr_t tm_place_at(const char *image, uint64_t offset) { return (void)image, (void)offset, 0; }
void tm_shake_record(tm_shaken *room, uint32_t limit) { (void)room, (void)limit; }
uint32_t tm_shake_recorded(void) { return 0; }
void tm_set_process_scope(uint32_t scope) { (void)scope; }
void tm_test_began(uint32_t scope) { (void)scope; }
void tm_test_ended(uint32_t scope) { (void)scope; }
uint32_t tm_current_scope(void) { return 0; }
void tm_set_unwinders(tm_unwinder here, tm_context_unwinder signal) { (void)here, (void)signal; }
void tm_runtime_lock(void) {}
void tm_runtime_unlock(void) {}
void tm_delivery_lock(void) {}
bool tm_delivery_lock_within(unsigned milliseconds) { return (void)milliseconds, true; }
void tm_delivery_unlock(void) {}
void tm_enter_harness(void) {}
void tm_leave_harness(void) {}
void tm_promise(void) {}
bool tm_races_wait(void) { return false; }
void tm_races_tell(void) {}
uint32_t tm_races_told(void) { return 0; }
void tm_races_settled(uint32_t count, bool accuses) { (void)count, (void)accuses; }
void tm_steer_begin(const tm_steer_plan *plan) { (void)plan; }
bool tm_is_system_code(uintptr_t pc) { return (void)pc, false; }
bool tm_is_gate_code(uintptr_t pc) { return (void)pc, false; }
bool tm_has_thread_sanitizer(void) { return false; }
int tm_image_visit(uintptr_t address, tm_image_visitor visitor, void *context) {
  return (void)address, (void)visitor, (void)context, 0;
}
void tm_function_replace(uintptr_t in_image, const char *name, void *function) {
  (void)in_image, (void)name, (void)function;
}
bool tm_locate(uintptr_t pc, tm_location *location) { return (void)pc, (void)location, false; }
bool tm_image_at(uintptr_t address, tm_image *image) { return (void)address, (void)image, false; }
uint32_t tm_images(tm_image *images, uint32_t limit) { return (void)images, (void)limit, 0; }
bool tm_peek(const void *from, void *to, size_t size) {
  return (void)from, (void)to, (void)size, false;
}
bool tm_is_thunk(const char *name) { return (void)name, false; }
char *tm_demangle(const char *name) { return (void)name, NULL; }
char *tm_demangle_whole(const char *name) { return (void)name, NULL; }
void tm_watch_no_other_program(const char *program) { (void)program; }
bool tm_mailbox_open(const char *path) { return (void)path, false; }
bool tm_mailbox_put(const void *bytes, uint64_t length) { return (void)bytes, (void)length, false; }
void tm_end_process(int status) { _exit(status); }
void tm_at_exit(int (*flush)(int)) { (void)flush; }
void tm_expect_the_end(void) {}
void tm_add_last_words(const char *text, uint64_t length) { (void)text, (void)length; }
void tm_set_schedules_last_words(const char *text, uint64_t length) { (void)text, (void)length; }
void tm_forget_last_words(void) {}
#endif
