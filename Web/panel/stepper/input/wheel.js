/** The wheel of the mouse and a drag of the label turn the control; the wheel only where the focus is: otherwise the page scrolls. */
import { bindScrub } from './scrub.js';

/** CSS pixels that browsers make of a notch at a device pixel ratio of 1, and lines. */
const NOTCH = 100, LINES = 3, LINE = 20;
/** Milliseconds that a remainder is kept; that what is published after a detent is this control's own. */
const REST = 300, OWN = 350;

/** Is loaded when the control has the focus or the pointer for the first time. */
export function bind(control, on) {
  const waiting = { step: 0, page: 0 };
  let sum = 0, turning = false, rest, listening;
  const { root } = control.view;
  const turn = async (detents, unit) => {
    waiting[unit] += detents;
    if (turning) return;
    turning = true;
    while (waiting.step || waiting.page) {
      const next = waiting.step ? 'step' : 'page', count = waiting[next];
      waiting[next] = 0;
      if (control.draft === null || await control.field.commit()) await turnBy(control, count, next);
    }
    turning = false;
  };
  bindScrub(control, on, turn);
  const roll = (event) => {
    const { deltaX, deltaY, deltaMode, shiftKey, ctrlKey } = event;
    // With Shift browsers roll sideways; without it that is a scroll of the page.
    if (ctrlKey || !control.writable || (!shiftKey && Math.abs(deltaX) > Math.abs(deltaY))) return;
    event.preventDefault();
    const delta = -((shiftKey && deltaX) || deltaY), line = parseFloat(getComputedStyle(root).lineHeight) || LINE;
    const [whole, part] = notches(delta, deltaMode, line);
    sum = part && sum * part >= 0 ? sum + part : part;
    // A sum of tenths is never quite one.
    const detents = whole + Math.trunc(sum + Math.sign(sum) * 1e-6);
    sum -= detents - whole;
    clearTimeout(rest);
    rest = setTimeout(() => { sum = 0; }, REST);
    if (detents) turn(detents, shiftKey ? 'page' : 'step');
  };
  // A listener that may prevent scrolling costs every scroll: it is there only with the focus.
  const listen = () => {
    listening ??= new AbortController();
    root.addEventListener('wheel', roll, { passive: false, signal: listening.signal });
  };
  on(root, 'focusin', listen);
  if (root.matches(':focus-within')) listen();
  on(root, 'focusout', () => {
    listening?.abort();
    listening = undefined;
  });
}

/** Whole notches of a wheel that clicks, or a part of one of what rolls smoothly. With the zoom a notch has fewer pixels. */
function notches(delta, mode, line) {
  const size = Math.abs(delta) * [1, NOTCH / LINES, NOTCH][mode], least = Math.max(line, NOTCH / devicePixelRatio);
  const clicks = mode > 0 ? Math.abs(delta) >= 1 : size >= Math.min(2 * line, least);
  return clicks ? [Math.sign(delta) * Math.max(1, Math.round(size / NOTCH)), 0] : [0, Math.sign(delta) * size / least];
}

async function turnBy(control, count, unit) {
  control.begin();
  const answer = await (unit === 'page' ? control.act('step', { steps: count, unit }) : control.act('turn', { detents: count }));
  control.mode = answer?.mode ?? control.mode;
  setTimeout(() => control.end(), OWN);
}
