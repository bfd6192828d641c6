#include <alsa/asoundlib.h>

static inline void calsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

/// Has the library print nothing to standard error; every function returns what is wrong. Swift has no functions with variable
/// arguments for C.
static inline void calsa_be_silent(void) { snd_lib_error_set_handler(calsa_ignore); }

enum calsa_midi_kind {
  CALSA_OTHER,
  CALSA_PORTS_CHANGED,
  CALSA_CLIENT_GONE,
  CALSA_PORT_GONE,
  CALSA_NOTE,
  CALSA_CONTROLLER,
  CALSA_BEND
};

/// A message of MIDI, with the port that it is from, for, or about. Swift takes an event of the sequencer for unsafe, because some have
/// a pointer.
struct calsa_midi {
  unsigned char client, port;
  enum calsa_midi_kind kind;
  /// From 0 on.
  unsigned channel, number;
  /// Velocity, value, or the bend from -8192 on.
  int value;
};

/// Has the kernel keep up to 2,000 events, as many as it keeps at most, and only those that are read here: a clock would fill
/// the room for notes.
static inline void calsa_midi_prepare(snd_seq_t *sequencer) {
  static const int types[] = {
    SND_SEQ_EVENT_NOTEON, SND_SEQ_EVENT_NOTEOFF, SND_SEQ_EVENT_CONTROLLER, SND_SEQ_EVENT_PITCHBEND,
    SND_SEQ_EVENT_CLIENT_START, SND_SEQ_EVENT_CLIENT_EXIT, SND_SEQ_EVENT_CLIENT_CHANGE,
    SND_SEQ_EVENT_PORT_START, SND_SEQ_EVENT_PORT_EXIT, SND_SEQ_EVENT_PORT_CHANGE,
  };
  for (size_t index = 0; index < sizeof types / sizeof *types; index++) snd_seq_set_client_event_filter(sequencer, types[index]);
  snd_seq_set_client_pool_input(sequencer, 2000);
}

/// Reads the next event; what `snd_seq_event_input` returns.
static inline int calsa_midi_read(snd_seq_t *sequencer, struct calsa_midi *midi) {
  snd_seq_event_t *event = NULL;
  int result = snd_seq_event_input(sequencer, &event);
  if (result < 0 || !event) return result < 0 ? result : -EAGAIN;
  *midi = (struct calsa_midi){.client = event->source.client, .port = event->source.port, .kind = CALSA_OTHER};
  if (event->type >= SND_SEQ_EVENT_CLIENT_START && event->type <= SND_SEQ_EVENT_PORT_CHANGE) {
    // Anybody may send such events; the kernel's are those that are true.
    if (event->source.client != SND_SEQ_CLIENT_SYSTEM) return result;
    midi->kind = event->type == SND_SEQ_EVENT_CLIENT_EXIT ? CALSA_CLIENT_GONE
                 : event->type == SND_SEQ_EVENT_PORT_EXIT ? CALSA_PORT_GONE
                                                          : CALSA_PORTS_CHANGED;
    midi->client = event->data.addr.client, midi->port = event->data.addr.port;
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
