/* Makes libudev fail in a program under test, while it runs: LD_PRELOAD=udev-faults.so.
 *
 * $STEPPERD_UDEV_FAULTS names a file that is read at each call. Each of its lines is what fails from now on, and with
 * what error: `open EAFNOSUPPORT` (a monitor cannot be opened), `receive ENOBUFS` (what waits in a monitor is lost, as
 * when its buffer has overflowed, or the monitor is broken), `list EMFILE` (devices cannot be listed).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct udev;
struct udev_device;
struct udev_enumerate;
struct udev_monitor;
struct udev_device *udev_device_unref(struct udev_device *device);

static const struct {
  const char *name;
  int number;
} errors[] = {{"EAFNOSUPPORT", EAFNOSUPPORT}, {"EIO", EIO}, {"EMFILE", EMFILE}, {"ENOBUFS", ENOBUFS}};

/* The error of `call`; 0 if it succeeds. */
static int fault(const char *call) {
  const char *path = getenv("STEPPERD_UDEV_FAULTS");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return 0;
  char text[1024];
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  text[count > 0 ? count : 0] = 0;
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    size_t length = strlen(call);
    if (strncmp(line, call, length) != 0 || line[length] != ' ') continue;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
      if (strcmp(line + length + 1, errors[i].name) == 0) return errors[i].number;
    }
  }
  return 0;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

struct udev_monitor *udev_monitor_new_from_netlink(struct udev *udev, const char *name) {
  int error = fault("open");
  if (!error) return NEXT(udev_monitor_new_from_netlink)(udev, name);
  errno = error;
  return NULL;
}

struct udev_device *udev_monitor_receive_device(struct udev_monitor *monitor) {
  int error = fault("receive");
  if (!error) return NEXT(udev_monitor_receive_device)(monitor);
  struct udev_device *lost;
  while ((lost = NEXT(udev_monitor_receive_device)(monitor))) udev_device_unref(lost);
  errno = error;
  return NULL;
}

int udev_enumerate_scan_devices(struct udev_enumerate *enumeration) {
  int error = fault("list");
  return error ? -error : NEXT(udev_enumerate_scan_devices)(enumeration);
}
