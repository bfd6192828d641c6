/* Counts what a program takes from the heap: LD_PRELOAD=count-allocations.so.
 *
 * $STEPPERD_ALLOCATIONS names a file of 16 bytes, which is mapped: the number of allocations and the bytes asked for,
 * as two native 64-bit numbers. It can be read at any time while the program runs. A realloc is an allocation.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The C library's own, which need not be looked up. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t), *__libc_valloc(size_t), *__libc_pvalloc(size_t);

static struct count {
  uint64_t allocations, bytes;
} unmapped, *count = &unmapped;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("STEPPERD_ALLOCATIONS");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  struct count *mapped = mmap(NULL, sizeof *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) return;
  *mapped = *count;
  count = mapped;
  // What the program starts is not counted.
  unsetenv("LD_PRELOAD");
}

static void add(size_t bytes) {
  __atomic_add_fetch(&count->allocations, 1, __ATOMIC_RELAXED);
  __atomic_add_fetch(&count->bytes, bytes, __ATOMIC_RELAXED);
}

#define COUNTED(bytes, name, parameters, call) \
  void *name parameters {                      \
    add(bytes);                                \
    return call;                               \
  }

COUNTED(size, malloc, (size_t size), __libc_malloc(size))
COUNTED(number * size, calloc, (size_t number, size_t size), __libc_calloc(number, size))
COUNTED(size, realloc, (void *old, size_t size), __libc_realloc(old, size))
COUNTED(size, memalign, (size_t alignment, size_t size), __libc_memalign(alignment, size))
COUNTED(size, aligned_alloc, (size_t alignment, size_t size), __libc_memalign(alignment, size))
COUNTED(size, valloc, (size_t size), __libc_valloc(size))
COUNTED(size, pvalloc, (size_t size), __libc_pvalloc(size))

void *reallocarray(void *old, size_t number, size_t size) {
  size_t bytes;
  if (!__builtin_mul_overflow(number, size, &bytes)) return realloc(old, bytes);
  errno = ENOMEM;
  return NULL;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  add(size);
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}
