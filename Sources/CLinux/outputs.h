// For Swift, which cannot import the macros of requests: what is written to event nodes and to hidraw nodes.
// Each function returns a negative errno if it failed.
#include <errno.h>
#include <linux/hidraw.h>
#include <linux/input.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// One event and the SYN_REPORT behind it, in one write.
static inline int cevdev_write_event(int descriptor, uint16_t type, uint16_t code, int32_t value)
{
	struct input_event events[2];
	memset(events, 0, sizeof events);
	events[0].type = type;
	events[0].code = code;
	events[0].value = value;
	events[1].type = EV_SYN;
	events[1].code = SYN_REPORT;
	ssize_t count;
	do
		count = write(descriptor, events, sizeof events);
	while (count < 0 && errno == EINTR);
	if (count < 0)
		return -errno;
	return count == sizeof events ? 0 : -EIO;
}

// The identifier the kernel gave to the effect.
static inline int cevdev_upload(int descriptor, struct ff_effect *effect, uint16_t milliseconds)
{
	effect->id = -1;
	effect->replay.length = milliseconds;
	int status;
	do
		status = ioctl(descriptor, EVIOCSFF, effect);
	while (status < 0 && errno == EINTR);
	return status < 0 ? -errno : effect->id;
}

static inline int cevdev_upload_rumble(int descriptor, uint16_t strong, uint16_t weak, uint16_t milliseconds)
{
	struct ff_effect effect;
	memset(&effect, 0, sizeof effect);
	effect.type = FF_RUMBLE;
	effect.u.rumble.strong_magnitude = strong;
	effect.u.rumble.weak_magnitude = weak;
	return cevdev_upload(descriptor, &effect, milliseconds);
}

static inline int cevdev_upload_periodic(int descriptor, uint16_t waveform, uint16_t period, int16_t magnitude,
					 uint16_t milliseconds)
{
	struct ff_effect effect;
	memset(&effect, 0, sizeof effect);
	effect.type = FF_PERIODIC;
	effect.direction = 0x4000;
	effect.u.periodic.waveform = waveform;
	effect.u.periodic.period = period;
	effect.u.periodic.magnitude = magnitude;
	return cevdev_upload(descriptor, &effect, milliseconds);
}

static inline int cevdev_upload_constant(int descriptor, int16_t level, uint16_t milliseconds)
{
	struct ff_effect effect;
	memset(&effect, 0, sizeof effect);
	effect.type = FF_CONSTANT;
	effect.direction = 0x4000;
	effect.u.constant.level = level;
	return cevdev_upload(descriptor, &effect, milliseconds);
}

static inline int cevdev_erase(int descriptor, int identifier)
{
	int status;
	do
		status = ioctl(descriptor, EVIOCRMFF, identifier);
	while (status < 0 && errno == EINTR);
	return status < 0 ? -errno : 0;
}

// Leaves the event types of `types`, one bit each, to this descriptor; and of EV_MSC the codes of `codes`.
// The kernel tells every reader what is written to a device, the writer included. It takes whole words.
static inline int cevdev_set_masks(int descriptor, unsigned long types, unsigned long codes)
{
	struct input_mask mask;
	memset(&mask, 0, sizeof mask);
	mask.type = EV_MSC;
	mask.codes_size = sizeof codes;
	mask.codes_ptr = (uintptr_t)&codes;
	if (ioctl(descriptor, EVIOCSMASK, &mask) < 0)
		return -errno;
	mask.type = EV_SYN;
	mask.codes_size = sizeof types;
	mask.codes_ptr = (uintptr_t)&types;
	return ioctl(descriptor, EVIOCSMASK, &mask) < 0 ? -errno : 0;
}

// Fills `report`, whose first byte is its identifier, with a feature report of a hidraw node: the number of bytes. It waits for
// the device.
static inline int chidraw_get_feature(int descriptor, uint8_t *report, size_t size)
{
	int count;
	do
		count = ioctl(descriptor, HIDIOCGFEATURE(size), report);
	while (count < 0 && errno == EINTR);
	return count < 0 ? -errno : count;
}

static inline int chidraw_set_feature(int descriptor, const uint8_t *report, size_t size)
{
	int count;
	do
		count = ioctl(descriptor, HIDIOCSFEATURE(size), report);
	while (count < 0 && errno == EINTR);
	return count < 0 ? -errno : count;
}
