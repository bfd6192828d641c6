/* Follow a control in C, with json-c:
 *   cc watch.c -o watch $(pkg-config --cflags --libs json-c) && ./watch volume
 */
#include <json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

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

/* Prints the states of a reply; returns 0 if it is an error. */
static int print(const char *message, int isFirst)
{
  struct json_object *reply = json_tokener_parse(message), *error, *parameters, *states;

  if (!reply || json_object_object_get_ex(reply, "error", &error)) {
    fprintf(stderr, "%s\n", message);
    json_object_put(reply);
    return 0;
  }
  if (json_object_object_get_ex(reply, "parameters", &parameters) &&
      json_object_object_get_ex(parameters, "states", &states)) {
    if (isFirst && !json_object_array_length(states))
      fprintf(stderr, "stepperd has no such control now; waiting until it has one\n");
    for (size_t i = 0; i < json_object_array_length(states); i++) {
      struct json_object *state = json_object_array_get_idx(states, i), *control, *text;

      json_object_object_get_ex(state, "control", &control);
      /* A control without a value has no "text". */
      printf("%s %s\n", json_object_get_string(control),
             json_object_object_get_ex(state, "text", &text) ? json_object_get_string(text) : "unset");
    }
  }
  fflush(stdout);
  json_object_put(reply);
  return 1;
}

int main(int argc, char **argv)
{
  struct json_object *call = json_object_new_object(), *parameters = json_object_new_object();
  struct json_object *match = json_object_new_array();
  int connection = dial(), isFirst = 1;
  char *buffer = NULL;
  size_t used = 0, room = 0;

  if (connection < 0)
    return 1;
  json_object_array_add(match, json_object_new_string(argc > 1 ? argv[1] : "volume"));
  json_object_object_add(parameters, "match", match);
  json_object_object_add(call, "method", json_object_new_string("org.stepperd.control.Subscribe"));
  json_object_object_add(call, "parameters", parameters);
  json_object_object_add(call, "more", json_object_new_boolean(1));
  const char *text = json_object_to_json_string(call);
  /* Every message ends with a NUL. */
  if (send(connection, text, strlen(text) + 1, MSG_NOSIGNAL) < 0) {
    perror("send");
    return 1;
  }
  json_object_put(call);

  for (;;) {
    if (room - used < 4096) {
      char *larger = realloc(buffer, room = room * 2 + 4096);

      if (!larger)
        return 1;
      buffer = larger;
    }
    ssize_t count = recv(connection, buffer + used, room - used, 0);
    if (count <= 0) {
      fprintf(stderr, "the daemon has ended the connection\n");
      return 1;
    }
    used += count;
    for (char *end; (end = memchr(buffer, 0, used)); used -= end + 1 - buffer, memmove(buffer, end + 1, used)) {
      if (!print(buffer, isFirst))
        return 1;
      isFirst = 0;
    }
  }
}
