// Arduino's library for a sketch that runs here: as machine.py beside it.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <poll.h>
#include <string>
#include <thread>
#include <unistd.h>

enum { LOW, HIGH, INPUT_PULLUP, OUTPUT };

static std::atomic<int> levels[64], reads[64];

struct String : std::string {
  String(const char *text) : std::string(text) {}
  String operator+(int number) const { return String((*this).append_number(number).c_str()); }
  std::string append_number(int number) const { return std::string(*this) + std::to_string(number); }
};

struct Stream {
  void begin(long) {}
  void println(const std::string &text) {
    std::string line = text + "\r\n";
    if (write(1, line.data(), line.size()) < 0) exit(1);
  }
  int available() {
    pollfd one = {0, POLLIN, 0};
    return poll(&one, 1, 0) > 0 && one.revents & POLLIN;
  }
  int read() {
    char c;
    if (::read(0, &c, 1) != 1) exit(0);
    return c;
  }
};
static Stream Serial;

static void pinMode(int, int) {}
static int digitalRead(int pin) {
  int level = levels[pin];
  reads[pin]++;
  return level;
}
static void analogWrite(int pin, int duty) {
  std::ofstream(getenv("STEPPERD_LIGHTS"), std::ios::app) << pin << " " << duty / 255.0 << std::endl;
}
static unsigned long millis() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void setup();
void loop();

int main() {
  for (auto &level : levels) level = HIGH;
  std::thread([] {
    std::ifstream pins(getenv("STEPPERD_PINS"));
    int pin, level;
    while (pins >> pin >> level) {
      // The sketch has seen each level before there is another one.
      levels[pin] = level;
      for (int seen = reads[pin] + 2; reads[pin] < seen;) usleep(100);
    }
  }).detach();
  setup();
  for (;;) {
    loop();
    usleep(200);
  }
}
