// Moves input devices made with uinput, and measures when the programs that read them answer.
//
//   input-latency KIND COUNT UINPUT,ANSWER[,key]...
//
// One pair of inherited descriptors for each program: the uinput device that it reads, and the socket of its answers. A
// program marked with "key" reads keys only: instead of the dial, a key of its device is pressed. KIND is
//   key    the press of a key, to the answer; the release that follows is not measured
//   dial   a detent of a dial, to the answer; there and back in turns
//   burst:N  N detents in one write, to the first answer
//   hold   a key that is held, to each of COUNT answers: the first is that to the press, the others are its repeats
// Prints a line for each program: COUNT times in nanoseconds from before the write until after the read. One change at a
// time, the programs in turns, each in turn the first.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/input.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { most_programs = 8, most_frames = 120, warm_up = 20 };

struct program {
	int device, answers;
	bool reads_dials;
	long *times;
};

static struct program programs[most_programs];
static int program_count;

static long now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void fail(const char *what)
{
	fprintf(stderr, "input-latency: %s: %s\n", what, strerror(errno));
	exit(71);
}

// `count` frames with one event each, in one write; returns the time before it.
static long move(const struct program *program, int type, int code, int value, int count)
{
	static struct input_event events[2 * most_frames];
	for (int i = 0; i < count; i++) {
		events[2 * i] = (struct input_event){.type = type, .code = code, .value = value};
		events[2 * i + 1] = (struct input_event){.type = EV_SYN, .code = SYN_REPORT};
	}
	ssize_t size = 2 * count * sizeof *events;
	long start = now();
	if (write(program->device, events, size) != size)
		fail("write to uinput");
	return start;
}

static void wait_for_answer(const struct program *program)
{
	static char bytes[65536];
	if (recv(program->answers, bytes, sizeof bytes, 0) <= 0) {
		fprintf(stderr, "input-latency: program %td does not answer\n", program - programs);
		exit(71);
	}
}

// Discards further answers until none has come for a millisecond: all programs sleep then.
static void settle(void)
{
	struct timespec pause = {.tv_nsec = 1000000};
	static char bytes[65536];
	for (bool is_quiet = false; !is_quiet;) {
		nanosleep(&pause, NULL);
		is_quiet = true;
		for (int p = 0; p < program_count; p++)
			while (recv(programs[p].answers, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
				is_quiet = false;
	}
}

// Makes the change number `number` of `program`; returns the time until its answer.
static long sample(const struct program *program, const char *kind, int number, int frames)
{
	bool is_key = !strcmp(kind, "key") || !program->reads_dials;
	settle();
	long start = is_key ? move(program, EV_KEY, KEY_VOLUMEUP, 1, 1)
			    : move(program, EV_REL, REL_DIAL, number & 1 ? 1 : -1, frames);
	wait_for_answer(program);
	long time = now() - start;
	if (is_key)
		move(program, EV_KEY, KEY_VOLUMEUP, 0, 1);
	return time;
}

static void take_turns(const char *kind, int count, int frames)
{
	for (int number = 0; number < warm_up + count; number++)
		for (int place = 0; place < program_count; place++) {
			struct program *program = &programs[(number + place) % program_count];
			long time = sample(program, kind, number, frames);
			if (number >= warm_up)
				program->times[number - warm_up] = time;
		}
}

static void hold(const struct program *program, int count)
{
	settle();
	long start = move(program, EV_KEY, KEY_ZOOMIN, 1, 1);
	for (int i = 0; i < count; i++) {
		wait_for_answer(program);
		program->times[i] = now() - start;
	}
	move(program, EV_KEY, KEY_ZOOMIN, 0, 1);
	settle();
}

int main(int argc, char **argv)
{
	int frames = 1, count = argc > 2 ? atoi(argv[2]) : 0;
	const char *kind = argc > 1 ? argv[1] : "";
	program_count = argc - 3;
	if (sscanf(kind, "burst:%d", &frames) == 1)
		kind = "dial";
	if (count < 1 || program_count < 1 || program_count > most_programs || frames < 1 || frames > most_frames) {
		fprintf(stderr, "usage: input-latency key|dial|burst:N|hold COUNT UINPUT,ANSWER[,key]...\n");
		return 64;
	}
	for (int p = 0; p < program_count; p++) {
		struct program *program = &programs[p];
		struct timeval limit = {.tv_sec = 5};
		program->times = calloc(count, sizeof *program->times);
		char mark[4] = "";
		if (sscanf(argv[3 + p], "%d,%d,%3s", &program->device, &program->answers, mark) < 2 || !program->times)
			return 64;
		program->reads_dials = strcmp(mark, "key");
		if (setsockopt(program->answers, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit))
			fail("answers");
	}
	if (strcmp(kind, "hold"))
		take_turns(kind, count, frames);
	else
		for (int p = 0; p < program_count; p++)
			hold(&programs[p], count);
	for (int p = 0; p < program_count; p++)
		for (int i = 0; i < count; i++)
			printf("%ld%c", programs[p].times[i], i + 1 < count ? ' ' : '\n');
	return 0;
}
