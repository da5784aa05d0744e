#ifdef __linux__
#include "ground/base.h"
#include "code/instructions.h"
#include "code/own_variables.h"

TM_GATE_CODE_BEGIN

#if defined(__x86_64__)

/* Thread Sanitizer's exchange, and its wrapper in a build that wraps it. */
extern char __tsan_atomic32_compare_exchange_val[] __attribute__((weak));
extern char __wrap___tsan_atomic32_compare_exchange_val[] __attribute__((weak));

enum { RAX = 0, RCX = 1, RDX = 2, RSP = 4, RBP = 5, RSI = 6, RDI = 7 };
/* Those that the called function may have changed: rax, rcx, rdx, rsi, rdi, r8 to r11. */
enum { CHANGED_BY_CALLS = 0x0fc7 };
enum { SLOTS = 8, LONGEST = 32 /* instructions */ };

/* The content of a register or of a place on the stack: unknown, the called function's result, or
 * `term` + `plus`. A number has no base. */
typedef enum value_kind { UNKNOWN, RESULT, KNOWN } value_kind;
typedef struct value {
  value_kind kind;
  tm_term term;
  uintptr_t plus;
  bool narrow; /* its lower half alone: no address */
} value;

typedef struct machine {
  const uint8_t *at;
  value registers[TM_REGISTERS];
  /* What was stored since the call, by register and distance. */
  struct {
    tm_term where;
    uint32_t size;
    value what;
  } slots[SLOTS];
  uint32_t slot_count;
} machine;

/* The second operand of an instruction: a register, or memory. */
typedef struct operand {
  bool is_register;
  uint8_t number; /* of the register */
  uint8_t other;  /* the first operand's register, or the rest of the opcode */
  value base, index;
  bool is_sum;
  uint8_t scale;
  uintptr_t plus;
} operand;

static value number(uintptr_t n) {
  return (value){KNOWN, {TM_NO_REGISTER, false, 0}, n, false};
}

static int32_t signed_at(const uint8_t *at) {
  int32_t n;
  tm_copy(&n, at, sizeof n);
  return n;
}

static bool is_address(const value *v) { return v->kind == KNOWN && !v->narrow; }

/* The number of a register: three bits, and one in the prefix. */
static uint8_t number_of(int bits, int prefix) {
  return (uint8_t)((bits & 7) | (prefix ? 8 : 0));
}

/* Reads the rest of the operand of an instruction that has a SIB byte. */
static void read_sib(machine *m, uint8_t rex, uint8_t mode, operand *o) {
  uint8_t sib = *m->at++;
  uint8_t base = number_of(sib, rex & 1), index = number_of(sib >> 3, rex & 2);
  o->scale = sib >> 6;
  o->is_sum = index != RSP;
  if (o->is_sum) o->index = m->registers[index];
  bool no_base = mode == 0 && (sib & 7) == RBP;
  o->base = no_base ? number((uintptr_t)(intptr_t)signed_at(m->at)) : m->registers[base];
  if (no_base) m->at += 4;
}

/* `after`: how many bytes of the instruction follow the operand. */
static operand read_operand(machine *m, uint8_t rex, uint32_t after) {
  uint8_t byte = *m->at++, mode = byte >> 6, low = byte & 7;
  operand o = {.other = number_of(byte >> 3, rex & 4), .number = number_of(byte, rex & 1)};
  o.is_register = mode == 3;
  if (o.is_register) return o;
  if (low == RSP) {
    read_sib(m, rex, mode, &o);
  } else if (mode == 0 && low == RBP) {
    int32_t distance = signed_at(m->at);
    m->at += 4;
    o.base = number((uintptr_t)m->at + after + (uintptr_t)(intptr_t)distance);
    return o;
  } else {
    o.base = m->registers[o.number];
  }
  if (mode == 1) o.plus = (uintptr_t)(intptr_t)(int8_t)*m->at++;
  if (mode == 2) o.plus = (uintptr_t)(intptr_t)signed_at(m->at), m->at += 4;
  return o;
}

/* The operand's address as a term that needs no load; false if it is none. */
static bool slot_of(const operand *o, tm_term *slot) {
  if (o->is_sum || o->base.kind != KNOWN || o->base.term.loads) return false;
  *slot = (tm_term){o->base.term.base, false, o->base.term.at + o->base.plus + o->plus};
  return true;
}

static value load(const machine *m, const operand *o, uint32_t size) {
  tm_term at;
  if (o->is_register) return m->registers[o->number];
  if (!slot_of(o, &at)) return (value){.kind = UNKNOWN};
  for (uint32_t i = m->slot_count; i-- > 0;) {
    const tm_term *w = &m->slots[i].where;
    if (w->base != at.base) continue;
    if (w->at == at.at && m->slots[i].size == size) return m->slots[i].what;
    if (w->at < at.at + size && at.at < w->at + m->slots[i].size) return (value){.kind = UNKNOWN};
  }
  return (value){KNOWN, {at.base, true, at.at}, 0, size == 4};
}

/* Returns false if memory is written that a later load may read, and the machine cannot tell. */
static bool store(machine *m, const operand *o, value v, uint32_t size) {
  tm_term at;
  if (o->is_register) return m->registers[o->number] = v, true;
  if (!slot_of(o, &at) || m->slot_count == SLOTS) return false;
  m->slots[m->slot_count].where = at;
  m->slots[m->slot_count].size = size;
  m->slots[m->slot_count++].what = v;
  return true;
}

static value sum(value v, uintptr_t n) {
  if (v.kind == KNOWN) v.plus += n;
  else v.kind = UNKNOWN;
  return v;
}

static uint32_t value_now(const value *v, const tm_registers *r) {
  uintptr_t n = v->term.at;
  if (v->term.base != TM_NO_REGISTER) n += r->values[v->term.base];
  return (v->term.loads ? *(const uint32_t *)n : (uint32_t)n) + (uint32_t)v->plus;
}

/* The recipe of an exchange `expected` → `next` of the word at this address. */
static tm_recipe recipe_of(const operand *o, const value *expected, const value *next,
                           const tm_registers *r) {
  if (o->is_register || !is_address(&o->base) || (o->is_sum && !is_address(&o->index)))
    return (tm_recipe){TM_RECIPE_UNKNOWN};
  if (expected->kind == RESULT || next->kind != RESULT) return (tm_recipe){TM_RECIPE_OTHER};
  if (expected->kind != KNOWN) return (tm_recipe){TM_RECIPE_UNKNOWN};
  if (value_now(expected, r) != 0) return (tm_recipe){TM_RECIPE_OTHER};
  uintptr_t plus = o->base.plus + o->plus + (o->is_sum ? o->index.plus << o->scale : 0);
  tm_recipe recipe = {TM_RECIPE_LOCK, o->is_sum, o->scale, plus};
  recipe.terms[0] = o->base.term;
  recipe.terms[1] = o->index.term;
  return recipe;
}

/* The exchange that Thread Sanitizer is asked for: (word, expected, next, …). */
static tm_recipe recipe_of_call(machine *m, const tm_registers *r) {
  const char *target = (const char *)m->at + 4 + signed_at(m->at);
  bool exchanges = target == __tsan_atomic32_compare_exchange_val ||
                   target == __wrap___tsan_atomic32_compare_exchange_val;
  operand word = {.base = m->registers[RDI]};
  if (!exchanges) return (tm_recipe){TM_RECIPE_UNKNOWN};
  return recipe_of(&word, &m->registers[RSI], &m->registers[RDX], r);
}

/* add, sub and cmp with a number; only the first is understood. */
static bool add_number(machine *m, uint8_t rex, bool is_short) {
  operand o = read_operand(m, rex, is_short ? 1 : 4);
  int32_t n = is_short ? (int8_t)*m->at : signed_at(m->at);
  m->at += is_short ? 1 : 4;
  if (!o.is_register || (o.other & 7) != 0) return false;
  m->registers[o.number] = sum(m->registers[o.number], (uintptr_t)(intptr_t)n);
  return true;
}

static bool clear(machine *m, uint8_t rex) {
  operand o = read_operand(m, rex, 0);
  bool same = o.is_register && o.number == o.other;
  m->registers[o.other] = same ? number(0) : (value){.kind = UNKNOWN};
  return same;
}

static bool load_address(machine *m, uint8_t rex) {
  operand o = read_operand(m, rex, 0);
  if (o.is_register || o.is_sum) return false;
  m->registers[o.other] = sum(o.base, o.plus);
  return true;
}

static bool store_number(machine *m, uint8_t rex) {
  operand o = read_operand(m, rex, 4);
  value v = number((uintptr_t)(intptr_t)signed_at(m->at));
  m->at += 4;
  return (o.other & 7) == 0 && store(m, &o, v, rex & 8 ? 8 : 4);
}

static bool move_in(machine *m, uint8_t rex) {
  operand o = read_operand(m, rex, 0);
  bool whole = rex & 8;
  m->registers[o.other] = load(m, &o, whole ? 8 : 4);
  m->registers[o.other].narrow |= !whole;
  return true;
}

static bool move_out(machine *m, uint8_t rex) {
  operand o = read_operand(m, rex, 0);
  value v = m->registers[o.other];
  v.narrow |= !(rex & 8);
  return store(m, &o, v, rex & 8 ? 8 : 4);
}

static bool move_number(machine *m, uint8_t rex, uint8_t low) {
  if (rex & 8) return false;
  m->registers[low | (rex & 1) << 3] = number((uint32_t)signed_at(m->at));
  m->at += 4;
  return true;
}

static bool step_over(machine *m, uint8_t rex, uint8_t code) {
  switch (code) {
  case 0x31:
  case 0x33: return clear(m, rex);
  case 0x81: return add_number(m, rex, false);
  case 0x83: return add_number(m, rex, true);
  case 0x89: return move_out(m, rex);
  case 0x8b: return move_in(m, rex);
  case 0x8d: return load_address(m, rex);
  case 0x90: return true;
  case 0xc7: return store_number(m, rex);
  case 0xe9: return m->at += 4 + signed_at(m->at), true;
  case 0xeb: return m->at += 1 + (int8_t)*m->at, true;
  default: return code >= 0xb8 && code <= 0xbf && move_number(m, rex, code & 7);
  }
}

static void begin(machine *m, uintptr_t returns_to) {
  m->at = (const uint8_t *)returns_to;
  m->slot_count = 0;
  for (uint8_t i = 0; i < TM_REGISTERS; i++)
    m->registers[i] = CHANGED_BY_CALLS >> i & 1 ? (value){.kind = UNKNOWN}
                                                : (value){KNOWN, {i, false, 0}, 0, false};
  m->registers[RAX].kind = RESULT;
}

/* Reads on up to the exchange. */
static tm_recipe read_exchange(machine *m, const tm_registers *registers) {
  for (int i = 0; i < LONGEST; i++) {
    bool locks = *m->at == 0xf0;
    m->at += locks;
    uint8_t rex = (*m->at & 0xf0) == 0x40 ? *m->at++ : 0, code = *m->at++;
    if (code == 0xe8 && !locks) return recipe_of_call(m, registers);
    if (code == 0x0f && *m->at == 0xb1) {
      m->at++;
      operand o = read_operand(m, rex, 0);
      if (rex & 8 || !locks) break;
      return recipe_of(&o, &m->registers[RAX], &m->registers[o.other], registers);
    }
    if (locks || !step_over(m, rex, code)) break;
  }
  return (tm_recipe){TM_RECIPE_UNKNOWN};
}

static uintptr_t cache_of(const machine *m, const tm_registers *r) {
  uintptr_t found = 0;
  for (uint32_t i = 0; i < m->slot_count && !found; i++) {
    if (m->slots[i].what.kind != RESULT || m->slots[i].size != 4) continue;
    const tm_term *where = &m->slots[i].where;
    uintptr_t base = where->base == TM_NO_REGISTER ? 0 : r->values[where->base];
    found = tm_own_variable_at(base + where->at);
  }
  return found;
}

tm_recipe tm_recipe_read(uintptr_t returns_to, const tm_registers *registers) {
  machine m;
  begin(&m, returns_to);
  tm_recipe recipe = read_exchange(&m, registers);
  recipe.cache = cache_of(&m, registers);
  return recipe;
}

#else

tm_recipe tm_recipe_read(uintptr_t returns_to, const tm_registers *registers) {
  return (void)returns_to, (void)registers, (tm_recipe){TM_RECIPE_UNKNOWN};
}

#endif

TM_GATE_CODE_END
#endif
