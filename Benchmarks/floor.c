// What stepperd is measured against: the least that a program between an input and its clients can do. It waits in epoll,
// finds the calls in what it has read, and answers them with messages that it was given at the start. It has no values.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { most_clients = 2048, message_size = 1024, input_size = 16 << 10 };

// The replies to all calls of one read.
static char output[256 * message_size];
static const int64_t repeat_interval = 10000000;

struct message {
	size_t size;
	char bytes[message_size];
};
static struct message change, get_reply, set_reply;

struct client {
	size_t size;
	char input[input_size];
};
// By descriptor.
static struct client *clients[most_clients];
static int followers[most_clients];
static int follower_count;
static int repeat_timer;
static int64_t repeat_time;

static void fail(const char *what)
{
	perror(what);
	exit(71);
}

static void load(struct message *message, const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = read(file, message->bytes, sizeof message->bytes);
	if (file < 0 || size <= 0)
		fail(path);
	message->size = size;
	close(file);
}

static void send_all(int client, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t sent = send(client, bytes, size, MSG_NOSIGNAL);
		if (sent < 0)
			return; // It is gone, which its descriptor says too.
		bytes += sent;
		size -= sent;
	}
}

static void publish(void)
{
	for (int i = 0; i < follower_count; i++)
		send_all(followers[i], change.bytes, change.size);
}

static void drop(int client)
{
	for (int i = 0; i < follower_count; i++)
		if (followers[i] == client)
			followers[i--] = followers[--follower_count];
	free(clients[client]);
	clients[client] = NULL;
	close(client);
}

static void set_repeat(int64_t time)
{
	repeat_time = time;
	struct itimerspec timer = {.it_value = {time / 1000000000, time % 1000000000}};
	timerfd_settime(repeat_timer, TFD_TIMER_ABSTIME, &timer, NULL);
}

// A held button steps: the change has the time at which it was due.
static void repeat(void)
{
	static const char key[] = "\"monotonicMicroseconds\":";
	uint64_t expirations;
	if (read(repeat_timer, &expirations, sizeof expirations) < 0)
		return;
	char *field = memmem(change.bytes, change.size, key, sizeof key - 1);
	if (field) {
		char *end = field + sizeof key - 1;
		size_t digits = strspn(end, "0123456789");
		int64_t time = repeat_time / 1000;
		for (char *digit = end + digits; digit-- > end; time /= 10)
			*digit = '0' + time % 10;
	}
	publish();
	set_repeat(repeat_time + repeat_interval);
}

static void press(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	set_repeat(now.tv_sec * 1000000000LL + now.tv_nsec + repeat_interval);
}

// Does what the call says; returns the reply to it, NULL if it wants none. Only the client that measures sends calls, so
// none is unknown.
static const struct message *perform(int client, const char *call)
{
	static const char prefix[] = "{\"method\":\"org.stepperd.";
	static const char control[] = "control.", device[] = "device.";
	call += sizeof prefix - 1;
	if (!memcmp(call, control, sizeof control - 1)) {
		const char *method = call + sizeof control - 1;
		if (method[0] == 'G')
			return &get_reply;
		if (method[1] == 'e') {
			publish();
			return &set_reply;
		}
		followers[follower_count++] = client;
		return &change;
	}
	const char *method = call + sizeof device - 1;
	if (method[0] == 'T')
		publish();
	else if (method[0] == 'P')
		press();
	else
		set_repeat(0);
	return NULL;
}

static void serve(int descriptor)
{
	struct client *client = clients[descriptor];
	ssize_t size = read(descriptor, client->input + client->size, input_size - client->size);
	if (size <= 0) {
		drop(descriptor);
		return;
	}
	client->size += size;
	char *call = client->input, *end = client->input + client->size, *nul;
	size_t answered = 0;
	while ((nul = memchr(call, 0, end - call))) {
		const struct message *reply = perform(descriptor, call);
		if (reply) {
			memcpy(output + answered, reply->bytes, reply->size);
			answered += reply->size;
		}
		call = nul + 1;
	}
	client->size = end - call;
	memmove(client->input, call, client->size);
	send_all(descriptor, output, answered);
}

int main(int argc, char **argv)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (argc != 5 || strlen(argv[1]) >= sizeof address.sun_path) {
		fprintf(stderr, "usage: floor SOCKET CHANGE GET-REPLY SET-REPLY\n");
		return 64;
	}
	strcpy(address.sun_path, argv[1]);
	load(&change, argv[2]);
	load(&get_reply, argv[3]);
	load(&set_reply, argv[4]);

	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	repeat_timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
	struct epoll_event timer = {.events = EPOLLIN, .data.fd = repeat_timer};
	if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 128) ||
	    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) ||
	    epoll_ctl(epoll, EPOLL_CTL_ADD, repeat_timer, &timer))
		fail(argv[1]);
	puts("ready");
	fflush(stdout);
	for (;;) {
		struct epoll_event ready[64];
		int count = epoll_wait(epoll, ready, 64, -1);
		if (count < 0 && errno != EINTR)
			fail("epoll_wait");
		for (int i = 0; i < count; i++) {
			int source = ready[i].data.fd;
			if (source == repeat_timer) {
				repeat();
			} else if (source == listener) {
				int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
				event.data.fd = client;
				if (client < 0 || client >= most_clients || epoll_ctl(epoll, EPOLL_CTL_ADD, client, &event))
					fail("accept");
				clients[client] = malloc(sizeof *clients[client]);
				clients[client]->size = 0;
			} else {
				serve(source);
			}
		}
	}
}
