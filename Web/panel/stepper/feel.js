/** What is felt and heard of a gesture that this browser made itself: the daemon's table of effects. */

/** Weakest first: milliseconds of vibration and pause in turn; Hz; milliseconds of sound likewise. */
const EFFECTS = {
  selection: [[8], 2000, [4]], light: [[12], 1600, [6]], soft: [[45], 500, [20]], medium: [[20], 1200, [10]],
  rigid: [[10], 2400, [8]], heavy: [[35], 800, [20]], success: [[20, 80, 30], 1500, [40, 60, 60]],
  warning: [[60, 100, 60], 900, [100, 80, 100]], error: [[50, 70, 50, 70, 50], 400, [80, 60, 80, 60, 80]],
};
const playing = {};
let audio;

/** Nothing waits: while an effect is played, and 20 ms longer, only a stronger one is. */
export function play(name, vibrates, sounds) {
  const [pulses, pitch, tones] = EFFECTS[name] ?? EFFECTS.light;
  if (vibrates && navigator.vibrate && mayReplace('felt', name, pulses)) navigator.vibrate(pulses);
  if (sounds && mayReplace('heard', name, tones)) beep(pitch, tones);
}

function mayReplace(output, name, times) {
  const now = performance.now(), rank = Object.keys(EFFECTS).indexOf(name), last = playing[output];
  if (now < last?.until && rank <= last.rank) return false;
  playing[output] = { rank, until: now + times.reduce((sum, time) => sum + time, 20) };
  return true;
}

function beep(pitch, tones) {
  audio ??= new AudioContext();
  let at = audio.currentTime;
  tones.forEach((time, index) => {
    if (index % 2 === 0) {
      const tone = new OscillatorNode(audio, { frequency: pitch });
      tone.connect(new GainNode(audio, { gain: 0.2 })).connect(audio.destination);
      tone.start(at);
      tone.stop(at + time / 1000);
    }
    at += time / 1000;
  });
}
