/* Makes libudev fail in a program under test, while it runs: LD_PRELOAD=udev-faults.so.
 *
 * $STEPPERD_UDEV_FAULTS names a file that is read at each call. Each of its lines is what fails from now on, and with
 * what error: `open EAFNOSUPPORT` (a monitor cannot be opened), `receive ENOBUFS` (what waits in a monitor is lost, as
 * when its buffer has overflowed, or the monitor is broken), `list EMFILE` (devices cannot be listed).
 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "interposed.h"

struct udev;
struct udev_device;
struct udev_enumerate;
struct udev_monitor;
struct udev_device *udev_device_unref(struct udev_device *device);

/* The error of `call`; 0 if it succeeds. */
static int fault(const char *call) {
  char text[1024];
  const char *action = read_text(getenv("STEPPERD_UDEV_FAULTS"), text, sizeof text) ? action_of(call, text) : NULL;
  return action ? error_number(action) : 0;
}

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
