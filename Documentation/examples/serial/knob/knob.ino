// A knob with a push button and a light on an Arduino: the guide is A knob on a microcontroller.
// Pins of an encoder (A, B, the other side to ground), of its button, and of a light with PWM.
const int A = 2, B = 3, PUSH = 4, LIGHT = 9;

// By the former and the present position of both contacts: the counts, of which an encoder has four in a detent.
const int COUNTS[] = {0, -1, 1, 0, 1, 0, 0, -1, -1, 0, 0, 1, 0, 1, -1, 0};

int place;
bool wasDown = false;
unsigned long since = 0;
char line[130];
unsigned int length = 0;

void hello() { Serial.println("hello knob\nknob dial 4\nbutton push\nlight ring"); }

void told() {
  if (strcmp(line, "hello") == 0) hello();
  if (strncmp(line, "light ring ", 11) == 0) analogWrite(LIGHT, (int)(atof(line + 11) * 255));
}

void setup() {
  Serial.begin(115200);
  pinMode(A, INPUT_PULLUP);
  pinMode(B, INPUT_PULLUP);
  pinMode(PUSH, INPUT_PULLUP);
  pinMode(LIGHT, OUTPUT);
  place = digitalRead(A) << 1 | digitalRead(B);
  hello();
}

void loop() {
  int now = digitalRead(A) << 1 | digitalRead(B);
  int counts = COUNTS[place << 2 | now];
  place = now;
  if (counts) Serial.println(String("dial ") + counts);
  bool isDown = digitalRead(PUSH) == LOW;
  // Contacts bounce for some milliseconds.
  if (isDown != wasDown && millis() - since > 5) {
    wasDown = isDown;
    since = millis();
    Serial.println(isDown ? "push down" : "push up");
  }
  while (Serial.available()) {
    char c = Serial.read();
    if (c != '\n') {
      if (length < sizeof line - 1) line[length++] = c;
      continue;
    }
    line[length] = 0;
    length = 0;
    told();
  }
}
