#include <alsa/asoundlib.h>

static inline void calsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

/// Has the library print nothing to standard error; every function returns what is wrong. Swift has no functions with variable
/// arguments for C.
static inline void calsa_be_silent(void) { snd_lib_error_set_handler(calsa_ignore); }

enum calsa_midi_kind { CALSA_OTHER, CALSA_PORTS_CHANGED, CALSA_NOTE, CALSA_CONTROLLER, CALSA_BEND };

/// A message of MIDI, with the port that it is from or for. Swift takes an event of the sequencer for unsafe, because some have
/// a pointer.
struct calsa_midi {
  unsigned char client, port;
  enum calsa_midi_kind kind;
  /// From 0 on.
  unsigned channel, number;
  /// Velocity, value, or the bend from -8192 on.
  int value;
};

/// Reads the next event; what `snd_seq_event_input` returns.
static inline int calsa_midi_read(snd_seq_t *sequencer, struct calsa_midi *midi) {
  snd_seq_event_t *event = NULL;
  int result = snd_seq_event_input(sequencer, &event);
  if (result < 0 || !event) return result < 0 ? result : -EAGAIN;
  *midi = (struct calsa_midi){.client = event->source.client, .port = event->source.port, .kind = CALSA_OTHER};
  if (event->type >= SND_SEQ_EVENT_CLIENT_START && event->type <= SND_SEQ_EVENT_PORT_CHANGE) {
    midi->kind = CALSA_PORTS_CHANGED;
  } else if (event->type == SND_SEQ_EVENT_NOTEON || event->type == SND_SEQ_EVENT_NOTEOFF) {
    midi->kind = CALSA_NOTE;
    midi->channel = event->data.note.channel, midi->number = event->data.note.note;
    midi->value = event->type == SND_SEQ_EVENT_NOTEON ? event->data.note.velocity : 0;
  } else if (event->type == SND_SEQ_EVENT_CONTROLLER || event->type == SND_SEQ_EVENT_PITCHBEND) {
    midi->kind = event->type == SND_SEQ_EVENT_CONTROLLER ? CALSA_CONTROLLER : CALSA_BEND;
    midi->channel = event->data.control.channel, midi->number = event->data.control.param;
    midi->value = event->data.control.value;
  }
  return result;
}

/// Sends from `port` at once; what `snd_seq_event_output_direct` returns. With `count` a message of a manufacturer.
static inline int calsa_midi_write(
  snd_seq_t *sequencer, int port, struct calsa_midi midi, const unsigned char *bytes, unsigned count) {
  snd_seq_event_t event = {.queue = SND_SEQ_QUEUE_DIRECT, .dest = {midi.client, midi.port}};
  event.source.port = port;
  if (count) {
    event.type = SND_SEQ_EVENT_SYSEX, event.flags = SND_SEQ_EVENT_LENGTH_VARIABLE;
    event.data.ext.len = count, event.data.ext.ptr = (void *)bytes;
  } else if (midi.kind == CALSA_NOTE) {
    // A note of no velocity is off: that turns lights off everywhere.
    event.type = SND_SEQ_EVENT_NOTEON;
    event.data.note.channel = midi.channel, event.data.note.note = midi.number, event.data.note.velocity = midi.value;
  } else {
    event.type = midi.kind == CALSA_BEND ? SND_SEQ_EVENT_PITCHBEND : SND_SEQ_EVENT_CONTROLLER;
    event.data.control.channel = midi.channel, event.data.control.param = midi.number;
    event.data.control.value = midi.value;
  }
  return snd_seq_event_output_direct(sequencer, &event);
}
