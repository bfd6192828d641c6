# A knob with a push button and a light on a board with MicroPython: the guide is A knob on a microcontroller.
# Pins of an encoder (A, B, the other side to ground), of its button, and of a light; on a Raspberry Pi Pico as here.
import select
import sys
import time
from machine import PWM, Pin

A = Pin(14, Pin.IN, Pin.PULL_UP)
B = Pin(15, Pin.IN, Pin.PULL_UP)
PUSH = Pin(13, Pin.IN, Pin.PULL_UP)
LIGHT = PWM(Pin(25))
LIGHT.freq(1000)

# By the former and the present position of both contacts: the counts, of which an encoder has four in a detent.
COUNTS = (0, -1, 1, 0, 1, 0, 0, -1, -1, 0, 0, 1, 0, 1, -1, 0)


def hello():
    print("hello knob", "knob dial 4", "button push", "light ring", sep="\n")


def told(words):
    if words == ["hello"]:
        hello()
    elif words[:2] == ["light", "ring"]:
        try:
            LIGHT.duty_u16(int(float(words[2]) * 65535))
        except (IndexError, ValueError):
            pass  # a line that was cut short


hello()
commands = select.poll()
commands.register(sys.stdin, select.POLLIN)
place, was_down, since = A.value() << 1 | B.value(), False, time.ticks_ms()
while True:
    now = A.value() << 1 | B.value()
    counts, place = COUNTS[place << 2 | now], now
    if counts:
        print("dial", counts)
    is_down = PUSH.value() == 0
    # Contacts bounce for some milliseconds.
    if is_down != was_down and time.ticks_diff(time.ticks_ms(), since) > 5:
        was_down, since = is_down, time.ticks_ms()
        print("push", "down" if is_down else "up")
    if commands.poll(1):
        told(sys.stdin.readline().split())
