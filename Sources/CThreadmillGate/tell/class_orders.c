#ifdef __linux__
#include "ground/base.h"
#include "tell/class_orders.h"

TM_GATE_CODE_BEGIN

enum { CLASSES = 512, WORDS = CLASSES / 64, ORDERS = 4096, PLACES = 2 * ORDERS };

/* A class is in the circle that has the number of its first class; a class that is in none has its
 * own number, and is marked as alone. */
static struct {
  uint64_t name;
  uint16_t circle;
} classes[CLASSES];
static uint32_t class_count = 1; /* number 0 is none */

/* Bit `to` of row `from`; the second one is the other way round. */
static uint64_t below[CLASSES][WORDS], above[CLASSES][WORDS];

/* An order, and the one strand that made it so far. */
typedef struct order {
  uint16_t from, to;
  bool shared; /* by several strands */
  uint64_t strand;
} order;
static order orders[PLACES]; /* a hash table; `from` 0: an empty place */
static uint32_t order_count;

/* Who made the orders inside of a circle, by the circle's number. */
static struct {
  bool any, shared;
  uint64_t strand;
} makers[CLASSES];

uint32_t tm_class_orders_epoch = 1;

/* A class or an order had no room: from then on every order is open. */
static bool full;

static void fill(void) {
  full = true;
  tm_class_orders_epoch++;
}

uint16_t tm_class_number(uint32_t created, uint8_t kind) {
  uint64_t name = created ? (uint64_t)created << 8 : kind | 1ull << 63;
  static uint16_t numbers[2 * CLASSES];
  uint32_t place = tm_mix(0, name) >> 54;
  while (numbers[place] && classes[numbers[place]].name != name)
    place = (place + 1) % (2 * CLASSES);
  if (numbers[place]) return numbers[place];
  if (class_count == CLASSES) {
    if (!full) fill();
    return 0;
  }
  uint16_t number = (uint16_t)class_count++;
  classes[number].name = name;
  classes[number].circle = number;
  return numbers[place] = number;
}

static order *order_place(uint16_t from, uint16_t to) {
  uint32_t place = tm_mix(from, to) >> 51;
  while (orders[place].from && (orders[place].from != from || orders[place].to != to))
    place = (place + 1) % PLACES;
  return &orders[place];
}

static bool has(const uint64_t *set, uint32_t class) { return set[class / 64] >> class % 64 & 1; }
static void add_class(uint64_t *set, uint32_t class) { set[class / 64] |= 1ull << class % 64; }

/* Fills `set` with the classes that are reached from `start` by these rows, `start` among them. */
static void reach(uint16_t start, uint64_t rows[CLASSES][WORDS], uint64_t set[WORDS]) {
  uint16_t waiting[CLASSES];
  uint32_t count = 0;
  add_class(set, start);
  waiting[count++] = start;
  while (count) {
    const uint64_t *row = rows[waiting[--count]];
    for (uint32_t w = 0; w < WORDS; w++)
      for (uint64_t new = row[w] & ~set[w]; new; new &= new - 1) {
        uint16_t class = (uint16_t)(w * 64 + (uint32_t)__builtin_ctzll(new));
        add_class(set, class);
        waiting[count++] = class;
      }
  }
}

static bool is_inside(const order *o) {
  return o->from == o->to || classes[o->from].circle == classes[o->to].circle;
}

static void add_maker(const order *o) {
  uint16_t circle = classes[o->from].circle;
  bool other = makers[circle].any && makers[circle].strand != o->strand;
  makers[circle].shared |= other || o->shared;
  makers[circle].strand = o->strand;
  makers[circle].any = true;
}

/* Makes one circle of all classes that this new order closes circles through. */
static void close_circles(uint16_t from, uint16_t to) {
  uint64_t after[WORDS] = {0}, before[WORDS] = {0};
  if (from == to || classes[from].circle == classes[to].circle) return;
  reach(to, below, after);
  if (!has(after, from)) return;
  reach(from, above, before);
  uint16_t circle = classes[from].circle;
  for (uint16_t c = 1; c < class_count; c++)
    if (has(after, c) && has(before, c)) classes[c].circle = circle;
  makers[circle].any = makers[circle].shared = false;
  for (uint32_t i = 0; i < PLACES; i++)
    if (orders[i].from && classes[orders[i].from].circle == circle && is_inside(&orders[i]))
      add_maker(&orders[i]);
  tm_class_orders_epoch++;
}

static tm_standing standing(const order *o) {
  if (full) return TM_ORDER_OPEN;
  if (!is_inside(o)) return TM_ORDER_FREE;
  return makers[classes[o->from].circle].shared ? TM_ORDER_OPEN : TM_ORDER_LONE;
}

tm_standing tm_class_order_standing(uint16_t from, uint16_t to) {
  return standing(order_place(from, to));
}

static void add_order(order *o, uint16_t from, uint16_t to, uint64_t strand) {
  order_count++;
  *o = (order){from, to, false, strand};
  add_class(below[from], to);
  add_class(above[to], from);
  close_circles(from, to);
}

tm_standing tm_class_order_note(uint16_t from, uint16_t to, uint64_t strand) {
  if (full) return TM_ORDER_OPEN;
  order *o = order_place(from, to);
  if (!o->from && order_count == ORDERS) fill();
  else if (!o->from) add_order(o, from, to, strand);
  o->shared |= o->strand != strand;
  if (full || !is_inside(o)) return standing(o);
  bool before = makers[classes[from].circle].shared;
  add_maker(o);
  if (makers[classes[from].circle].shared != before) tm_class_orders_epoch++;
  return standing(o);
}

TM_GATE_CODE_END
#endif
