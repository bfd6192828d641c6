/** Darkens a page that nobody uses, against burn-in. The touch or the key that wakes it does nothing else. */
import { make } from '../stepper/dom.js';
import { down } from './pointers.js';

/** Milliseconds after a finger is lifted in which its click may come. */
const CLICK = 400;
/** What a pointer does to a page; on its way to a button, a key or a field. */
const POINTED = ['pointerdown', 'pointerup', 'pointercancel', 'mousedown', 'mouseup', 'click', 'auxclick', 'contextmenu'];
/** Milliseconds of "90", "90s", "5min" or "1h"; undefined: it is none of these. */
export function durationOf(text) {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?) ?(s|min|h)?$/.exec(text) ?? [];
  const time = number * { s: 1000, min: 60000, h: 3600000 }[unit];
  return time > 0 && time < 2 ** 31 ? time : undefined;
}

/** @param after milliseconds */
export function dimAfter(after) {
  // In the top layer: it is seen over an open keypad. What is touched is the keypad all the same, as a modal dialog leaves nothing else.
  const cover = make('div', { id: 'dim', popover: 'manual' }), keys = new Set();
  let timer, waking;
  document.body.append(cover);
  const isDark = () => cover.matches(':popover-open');
  const rest = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (down.size) rest();
      else if (!isDark()) cover.showPopover();
    }, after);
  };
  const wake = () => {
    clearTimeout(waking);
    if (isDark()) cover.hidePopover();
    rest();
  };
  const swallow = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener('pointerdown', rest, true);
  const point = (event) => {
    if (!isDark()) return;
    swallow(event);
    clearTimeout(waking);
    // It wakes with the last finger's click, which comes after it is lifted, or does not: until then nothing below gets anything.
    if (down.size) return;
    if (event.type === 'click') wake();
    else waking = setTimeout(wake, CLICK);
  };
  for (const type of POINTED) addEventListener(type, point, true);
  addEventListener('keydown', (event) => {
    if (isDark()) {
      keys.add(event.code);
      wake();
    }
    if (keys.has(event.code)) swallow(event);
    rest();
  }, true);
  addEventListener('keyup', (event) => {
    if (keys.delete(event.code)) swallow(event);
  }, true);
  for (const type of ['wheel', 'pointermove']) addEventListener(type, () => (isDark() ? undefined : rest()), { capture: true, passive: true });
  // Somebody turns the knob and looks at it.
  document.addEventListener('stepper-change', ({ detail }) => detail.state.origin === 'device' && wake());
  rest();
}
