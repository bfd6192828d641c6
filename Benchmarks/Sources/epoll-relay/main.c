// What stepperd is measured against: the least a program between an input and a client can do.
// Accepts connections on a Unix socket; whatever a client sends goes to every other client.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { most_clients = 16 };

static int clients[most_clients];
static int client_count;

static void drop(int client)
{
	for (int i = 0; i < client_count; i++)
		if (clients[i] == client)
			clients[i--] = clients[--client_count];
	close(client);
}

int main(int argc, char **argv)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (argc != 2 || strlen(argv[1]) >= sizeof address.sun_path) {
		fprintf(stderr, "usage: epoll-relay SOCKET\n");
		return 64;
	}
	strcpy(address.sun_path, argv[1]);
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
	if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 8) ||
	    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event)) {
		perror(argv[1]);
		return 71;
	}
	for (;;) {
		struct epoll_event ready[16];
		int count = epoll_wait(epoll, ready, 16, -1);
		if (count < 0 && errno != EINTR)
			return 71;
		for (int i = 0; i < count; i++) {
			int source = ready[i].data.fd;
			if (source == listener) {
				int client = accept(listener, NULL, NULL);
				event.data.fd = client;
				if (client < 0 || client_count == most_clients ||
				    epoll_ctl(epoll, EPOLL_CTL_ADD, client, &event))
					return 71;
				clients[client_count++] = client;
				continue;
			}
			char bytes[4096];
			ssize_t size = read(source, bytes, sizeof bytes);
			if (size <= 0) {
				drop(source);
				continue;
			}
			for (int c = 0; c < client_count; c++)
				if (clients[c] != source && write(clients[c], bytes, size) != size)
					return 71;
		}
	}
}
