// What stepperd is measured against: the least a program between an input device and its clients can do.
// One epoll_wait, one read and one send for what a device reports; a timer only while a key repeats.
//
//   evdev-floor NODE SOCKET MESSAGE
//
// A frame of NODE with a key or with relative motion sends the bytes of the file MESSAGE to every client of SOCKET, and
// so does each repeat while KEY_ZOOMIN is held. Whatever one read returns is answered once.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { most_clients = 8, repeat_delay = 100 * 1000 * 1000, repeat_interval = 10 * 1000 * 1000 };

static char message[4096];
static size_t message_size;
static int clients[most_clients];
static int client_count;

static void notify_clients(void)
{
	for (int i = 0; i < client_count; i++)
		if (send(clients[i], message, message_size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
			close(clients[i]);
			clients[i--] = clients[--client_count];
		}
}

// Starts the timer of the repeats at a press, stops it at a release.
static int repeat_from(int timer, const struct input_event *press)
{
	struct itimerspec times = {0};
	if (press->value) {
		long nanoseconds = press->input_event_usec * 1000 + repeat_delay;
		times.it_value.tv_sec = press->input_event_sec + nanoseconds / 1000000000;
		times.it_value.tv_nsec = nanoseconds % 1000000000;
		times.it_interval.tv_nsec = repeat_interval;
	}
	return timerfd_settime(timer, TFD_TIMER_ABSTIME, &times, NULL);
}

static int watch(int epoll, int descriptor)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
	return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int main(int argc, char **argv)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (argc != 4 || strlen(argv[2]) >= sizeof address.sun_path) {
		fprintf(stderr, "usage: evdev-floor NODE SOCKET MESSAGE\n");
		return 64;
	}
	strcpy(address.sun_path, argv[2]);
	FILE *file = fopen(argv[3], "rb");
	if (!file || !(message_size = fread(message, 1, sizeof message, file))) {
		perror(argv[3]);
		return 66;
	}
	int device = open(argv[1], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int clock = CLOCK_MONOTONIC;
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	if (device < 0 || ioctl(device, EVIOCSCLOCKID, &clock) ||
	    bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, most_clients) ||
	    watch(epoll, device) || watch(epoll, listener) || watch(epoll, timer)) {
		perror(argv[1]);
		return 71;
	}
	for (;;) {
		struct epoll_event ready[8];
		int count = epoll_wait(epoll, ready, 8, -1);
		if (count < 0 && errno != EINTR)
			return 71;
		for (int i = 0; i < count; i++) {
			int source = ready[i].data.fd;
			if (source == listener) {
				if (client_count == most_clients || (clients[client_count++] = accept(listener, NULL, NULL)) < 0)
					return 71;
			} else if (source == timer) {
				uint64_t expirations;
				if (read(timer, &expirations, sizeof expirations) > 0)
					notify_clients();
			} else {
				struct input_event events[256];
				ssize_t size = read(device, events, sizeof events);
				if (size < 0 && errno != EAGAIN)
					return 0; // the device was removed
				bool changed = false;
				const struct input_event *held = NULL;
				for (ssize_t e = 0; e < size / (ssize_t)sizeof *events; e++) {
					changed |= events[e].type == EV_KEY || events[e].type == EV_REL;
					if (events[e].type == EV_KEY && events[e].code == KEY_ZOOMIN)
						held = &events[e];
				}
				if (changed)
					notify_clients();
				if (held && repeat_from(timer, held))
					return 71;
			}
		}
	}
}
