#ifdef __linux__
#include "ground/base.h"
#include "ground/images.h"
#include "ground/text.h"
#include "threadmill_gate.h"
#include "threadmill_shake.h"

TM_GATE_CODE_BEGIN

/* Names a place in a way that holds in every run: the file name of its image, empty for the program
 * itself, and the distance from the address where the image is loaded. */

typedef struct search {
  const char *name; /* NULL: any image */
  uintptr_t base;
  tm_image image;
} search;

static tm_image image_of(const struct dl_phdr_info *info) {
  return (tm_image){info->dlpi_name, info->dlpi_addr, tm_image_code(info), info->dlpi_phdr,
                    info->dlpi_phnum * sizeof(ElfW(Phdr))};
}

static int visit_image(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  search *s = context;
  const char *name = tm_last_of_path(info->dlpi_name);
  if (s->name && !tm_text_is(name, s->name)) return 0;
  s->name = name;
  s->base = info->dlpi_addr;
  s->image = image_of(info);
  return 1;
}

bool tm_place_named(uintptr_t place, const char **image, uint64_t *offset) {
  search s = {0};
  if (!tm_image_visit(place, visit_image, &s)) return false;
  *image = s.name;
  *offset = place - s.base;
  return true;
}

uintptr_t tm_place_at(const char *image, uint64_t offset) {
  search s = {.name = image};
  return dl_iterate_phdr(visit_image, &s) ? s.base + offset : 0;
}

bool tm_image_at(uintptr_t address, tm_image *image) {
  search s = {0};
  if (!tm_image_visit(address, visit_image, &s)) return false;
  *image = s.image;
  return true;
}

typedef struct image_list {
  tm_image *images;
  uint32_t count, limit;
} image_list;

static int add_image(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  image_list *l = context;
  if (l->count < l->limit) l->images[l->count++] = image_of(info);
  return 0;
}

uint32_t tm_images(tm_image *images, uint32_t limit) {
  image_list l = {images, 0, limit};
  dl_iterate_phdr(add_image, &l);
  return l.count;
}

TM_GATE_CODE_END
#endif
