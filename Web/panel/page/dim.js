/** Darkens a page that nobody uses, against burn-in. The touch or the key that wakes it does nothing else. */
import { make } from '../stepper/dom.js';
import { down } from './pointers.js';

/** Milliseconds after a finger is lifted in which its click may come. */
const CLICK = 400;
/** Milliseconds of "90", "90s", "5min" or "1h"; undefined: it is none of these. */
export function durationOf(text) {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?) ?(s|min|h)?$/.exec(text) ?? [];
  const time = number * { s: 1000, min: 60000, h: 3600000 }[unit];
  return time > 0 && time < 2 ** 31 ? time : undefined;
}

/** @param after milliseconds */
export function dimAfter(after) {
  // In the top layer: also over an open keypad.
  const cover = make('div', { id: 'dim', popover: 'manual' }), keys = new Set();
  let timer, waking;
  document.body.append(cover);
  const rest = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (down.size) rest();
      else if (!cover.matches(':popover-open')) cover.showPopover();
    }, after);
  };
  const wake = () => {
    clearTimeout(waking);
    if (cover.matches(':popover-open')) cover.hidePopover();
    rest();
  };
  const swallow = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  cover.addEventListener('click', wake);
  cover.addEventListener('contextmenu', swallow);
  for (const type of ['pointerup', 'pointercancel']) {
    // A click follows, or does not: the cover stays until then, so that nothing below gets it.
    cover.addEventListener(type, () => { waking = setTimeout(wake, CLICK); });
  }
  addEventListener('pointerdown', rest, true);
  addEventListener('keydown', (event) => {
    if (cover.matches(':popover-open')) {
      keys.add(event.code);
      wake();
    }
    if (keys.has(event.code)) swallow(event);
    rest();
  }, true);
  addEventListener('keyup', (event) => {
    if (keys.delete(event.code)) swallow(event);
  }, true);
  for (const type of ['wheel', 'pointermove']) addEventListener(type, () => (cover.matches(':popover-open') ? undefined : rest()), { capture: true, passive: true });
  // Somebody turns the knob and looks at it.
  document.addEventListener('stepper-change', ({ detail }) => detail.state.origin === 'device' && wake());
  rest();
}
