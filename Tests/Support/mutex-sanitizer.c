// Tells ThreadSanitizer when a Mutex of Swift's standard library that others wait for is locked and unlocked. Both happen in
// a library without instrumentation there, so that it would report whatever such a mutex protects. Loaded by LD_PRELOAD;
// built by Scripts/stress/sanitize.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void lock_function(uint32_t thread, SELF void *handle);
typedef SWIFT void unlock_function(SELF void *handle);

// Programs that were built without it have none.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

SWIFT void lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF void *handle) {
  ((lock_function *)dlsym(RTLD_NEXT, LOCK))(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void unlock_slow(SELF void *handle) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF void *handle) {
  if (__tsan_release) __tsan_release(handle);
  ((unlock_function *)dlsym(RTLD_NEXT, UNLOCK))(handle);
}
