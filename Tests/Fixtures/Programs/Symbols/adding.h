/* Code that compilers put in place of its calls, out of another file. */
static inline __attribute__((always_inline)) int once(int x) { return x > 3 ? x + 1 : x - 1; }

static inline __attribute__((always_inline)) int twice(int x) {
  return once(x) + once(x * 3);
}
