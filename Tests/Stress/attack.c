// attack MODE SOCKET CONNECTIONS [MESSAGE]
//
// One misbehaving client with one or many connections, as fast as it can, until it is killed. MESSAGE is sent with the
// NUL that ends it.
//
//   connect   opens and closes connections
//   pipeline  sends MESSAGE again and again on every connection and reads what comes
//   mute      the same, but never reads
//   close     opens a connection, sends MESSAGE four times, and closes it
//   hold      opens connections and keeps them; opens them again where they were closed
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un address = {.sun_family = AF_UNIX};

static int open_connection(void) {
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  close(descriptor);
  return -1;
}

int main(int count, char **arguments) {
  if (count < 4) return 64;
  const char *mode = arguments[1];
  int connections = atoi(arguments[3]);
  strncpy(address.sun_path, arguments[2], sizeof address.sun_path - 1);
  const char *message = count > 4 ? arguments[4] : "";
  size_t length = strlen(message) + 1, copies = length < 4096 ? 65536 / length : 1;
  char *block = malloc(length * copies);
  for (size_t copy = 0; copy < copies; copy++) memcpy(block + copy * length, message, length);
  signal(SIGPIPE, SIG_IGN);

  if (!strcmp(mode, "connect") || !strcmp(mode, "close"))
    for (;;) {
      int descriptor = open_connection();
      if (descriptor < 0) continue;
      if (!strcmp(mode, "close"))
        for (int copy = 0; copy < 4; copy++) (void)!send(descriptor, message, length, MSG_DONTWAIT);
      close(descriptor);
    }

  struct pollfd *all = calloc(connections, sizeof *all);
  size_t *sent = calloc(connections, sizeof *sent);
  for (int index = 0; index < connections; index++) all[index].fd = -1;
  for (;;) {
    for (int index = 0; index < connections; index++)
      if (all[index].fd < 0) {
        all[index].fd = open_connection();
        sent[index] = 0;
        all[index].events = POLLOUT | (strcmp(mode, "mute") ? POLLIN : 0);
        if (!strcmp(mode, "hold")) all[index].events = POLLIN;
      }
    if (poll(all, connections, 100) < 0) return 1;
    for (int index = 0; index < connections; index++) {
      int descriptor = all[index].fd;
      if (descriptor < 0) continue;
      int broken = (all[index].revents & (POLLHUP | POLLERR)) != 0;
      if (all[index].revents & POLLIN) {
        static char buffer[1 << 20];
        if (recv(descriptor, buffer, sizeof buffer, MSG_DONTWAIT) <= 0) broken = 1;
      }
      if (all[index].revents & POLLOUT) {
        size_t offset = sent[index] % (length * copies);
        ssize_t done = send(descriptor, block + offset, length * copies - offset, MSG_DONTWAIT);
        if (done > 0) sent[index] += done;
        else if (errno != EAGAIN) broken = 1;
      }
      if (broken) {
        close(descriptor);
        all[index].fd = -1;
      }
    }
  }
}
