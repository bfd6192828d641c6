/* A knob of your own in C, with json-c for what it reads: lines of standard input turn it (+3, -1) and press it (down, up).
 *   cc knob.c -o knob $(pkg-config --cflags --libs json-c) && ./knob
 * The configuration has a [device.knob] with match = { provider = "example" }. What its light is to show is printed.
 */
#include <json.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* A connection and the bytes that have come. */
struct connection {
  int socket;
  size_t used;
  char buffer[65536];
};

/* Connects to STEPPERD_ADDRESS, else to the user's daemon, else to that of the system; -1: there is none. */
static int dial(void)
{
  const char *named = getenv("STEPPERD_ADDRESS"), *runtime = getenv("XDG_RUNTIME_DIR");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int connection = socket(AF_UNIX, SOCK_STREAM, 0);

  if (named && *named) {
    named += strncmp(named, "unix:", 5) ? 0 : 5;
    if (strcspn(named, ";") >= sizeof address.sun_path) {
      fprintf(stderr, "%s: a socket has at most %zu bytes\n", named, sizeof address.sun_path - 1);
      return -1;
    }
    memcpy(address.sun_path, named, strcspn(named, ";"));
  } else {
    snprintf(address.sun_path, sizeof address.sun_path, "%s/stepperd/org.stepperd", runtime ? runtime : "");
    if (!connect(connection, (struct sockaddr *)&address, sizeof address))
      return connection;
    snprintf(address.sun_path, sizeof address.sun_path, "/run/stepperd/org.stepperd");
  }
  if (!connect(connection, (struct sockaddr *)&address, sizeof address))
    return connection;
  perror(address.sun_path);
  return -1;
}

static void start(struct connection *connection)
{
  connection->socket = dial();
  if (connection->socket < 0)
    exit(1);
}

/* Every message ends with a NUL. */
static void put(struct connection *connection, const char *message)
{
  if (send(connection->socket, message, strlen(message) + 1, MSG_NOSIGNAL) < 0) {
    perror("send");
    exit(1);
  }
}

/* The parameters of the next reply, to be released; ends the program with an error, and with the connection. */
static struct json_object *get(struct connection *connection)
{
  struct json_object *reply, *error, *parameters;
  char *end;

  while (!(end = memchr(connection->buffer, 0, connection->used))) {
    ssize_t count = recv(connection->socket, connection->buffer + connection->used,
                         sizeof connection->buffer - connection->used, 0);
    if (count <= 0) {
      fprintf(stderr, "the daemon has ended the connection\n");
      exit(1);
    }
    connection->used += count;
  }
  reply = json_tokener_parse(connection->buffer);
  if (!reply || json_object_object_get_ex(reply, "error", &error) ||
      !json_object_object_get_ex(reply, "parameters", &parameters)) {
    fprintf(stderr, "%s\n", connection->buffer);
    exit(1);
  }
  connection->used -= end + 1 - connection->buffer;
  memmove(connection->buffer, end + 1, connection->used);
  json_object_get(parameters);
  json_object_put(reply);
  return parameters;
}

int main(void)
{
  static struct connection knob, orders;
  struct json_object *parameters, *list, *light, *brightness;
  char handle[64], line[64], message[512];

  start(&knob);
  put(&knob, "{\"method\":\"org.stepperd.provider.Attach\",\"parameters\":{"
             "\"identity\":{\"provider\":\"example\",\"name\":\"Example knob\",\"path\":\"stdin\"},"
             "\"keys\":[\"BTN_0\"],\"relative\":[{\"code\":\"REL_DIAL\"}],"
             "\"outputs\":[{\"name\":\"ring\",\"kind\":\"light\"}]}}");
  parameters = get(&knob);
  json_object_object_get_ex(parameters, "handle", &list);
  snprintf(handle, sizeof handle, "%s", json_object_get_string(list));
  json_object_put(parameters);

  /* A connection has one call at a time, so orders have one of their own. */
  start(&orders);
  snprintf(message, sizeof message,
           "{\"method\":\"org.stepperd.provider.Subscribe\",\"parameters\":{\"handles\":[\"%s\"]},\"more\":true}",
           handle);
  put(&orders, message);
  setvbuf(stdin, NULL, _IONBF, 0);
  for (;;) {
    struct pollfd waiting[] = {{STDIN_FILENO, POLLIN, 0}, {orders.socket, POLLIN, 0}, {knob.socket, POLLIN, 0}};

    poll(waiting, 3, -1);
    /* Reports have no replies: the connection has ended, and this program with it. */
    if (waiting[2].revents) {
      fprintf(stderr, "the daemon has ended the connection\n");
      return 1;
    }
    while (waiting[1].revents || memchr(orders.buffer, 0, orders.used)) {
      waiting[1].revents = 0;
      parameters = get(&orders);
      json_object_object_get_ex(parameters, "orders", &list);
      for (size_t i = 0; i < json_object_array_length(list); i++)
        if (json_object_object_get_ex(json_object_array_get_idx(list, i), "light", &light) &&
            json_object_object_get_ex(light, "brightness", &brightness))
          printf("ring %.2f\n", json_object_get_double(brightness));
      fflush(stdout);
      json_object_put(parameters);
    }
    if (waiting[0].revents) {
      struct timespec now;
      int isDown, isKey;
      long detents;
      char *end;

      if (!fgets(line, sizeof line, stdin))
        return 0;
      line[strcspn(line, "\r\n")] = 0;
      clock_gettime(CLOCK_MONOTONIC, &now);
      isDown = !strcmp(line, "down");
      isKey = isDown || !strcmp(line, "up");
      detents = strtol(line, &end, 10);
      if (!isKey && (end == line || *end || labs(detents) > 1000)) {
        if (*line)
          fprintf(stderr, "not down, up or a number of detents: %s\n", line);
        continue;
      }
      snprintf(message, sizeof message,
               "{\"method\":\"org.stepperd.provider.Report\",\"oneway\":true,\"parameters\":{\"handle\":\"%s\","
               "\"frames\":[{\"time\":%lld,\"events\":[{\"code\":\"%s\",\"value\":%d}]}]}}",
               handle, now.tv_sec * 1000000LL + now.tv_nsec / 1000, isKey ? "BTN_0" : "REL_DIAL",
               isKey ? isDown : (int)detents);
      put(&knob, message);
    }
  }
}
