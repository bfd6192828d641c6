/** Choosing among options: segments, the wheel, the menu. What is chosen is shown when the daemon says it. */
import { put, schedule, tie } from '../dom.js';
import { bindTap } from './tap.js';

/** Milliseconds: typed letters belong together; after the last scrolling a wheel rests; a touch that has not scrolled until then does not. */
const TYPING = 1000, RESTING = 120, STILL = 400;

export function bind(control, on) {
  const { options, wheel, segmented, select } = control.view.parts, list = wheel ?? segmented;
  control.describeOptions = (model) => (select ? put(select, { disabled: control.disabled || control.readonly }) : describe(control, model));
  /** Whether it is another one, and may be chosen. */
  const choose = (index) => {
    const isNews = control.writable && index in control.choices && index !== control.chosen;
    if (isNews) control.choose(index);
    else schedule(control);
    return isNews;
  };
  if (select) {
    for (const type of ['input', 'change']) on(select, type, (event) => event.stopPropagation());
    on(select, 'change', () => choose(Number(select.value)));
  }
  if (!list) return;
  let resting, row, hasScrolled = false, stops = false;
  /** The wheel shows again what the control has. */
  const follow = () => {
    clearTimeout(resting);
    control.scrolling = hasScrolled = false;
    schedule(control);
  };
  options.forEach((option, index) => bindTap(on, option, () => {
    // The touch that stops the wheel chooses nothing.
    if (stops) return;
    follow();
    choose(index);
  }));
  let letters = '', typing;
  const search = (letter) => {
    clearTimeout(typing);
    typing = setTimeout(() => { letters = ''; }, TYPING);
    letters += letter.toLowerCase();
    return control.choices.findIndex((title) => title.toLowerCase().startsWith(letters));
  };
  on(list, 'keydown', (event) => {
    const { key } = event, count = options.length, last = count - 1;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const side = control.rightToLeft ? -1 : 1, page = wheel ? 5 : 1;
    const step = { ArrowDown: 1, ArrowUp: -1, ...(wheel ? {} : { ArrowRight: side, ArrowLeft: -side }) }[key];
    const wraps = segmented || control.description.wrap;
    // Where nothing is chosen, up begins at the last one and down at the first.
    const now = control.chosen ?? (step < 0 ? count : -1);
    const next = step ? (wraps ? (now + step + count) % count : now + step) : {
      PageDown: Math.min(last, now + page), PageUp: Math.max(0, now - page), Home: 0, End: last,
    }[key] ?? (key.length === 1 && key !== ' ' ? search(key) : undefined);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  });
  if (!wheel) return;
  control.scrolling = false;
  // The row that rests under the indicator, after a finger or the mouse moved the wheel, is chosen.
  const still = () => {
    if (!control.scrolling || hasScrolled) return;
    clearTimeout(resting);
    resting = setTimeout(follow, STILL);
  };
  on(wheel, 'pointerdown', ({ target, pointerId, pointerType }) => {
    stops = hasScrolled && pointerType === 'touch';
    // A mouse may be let go elsewhere.
    target.setPointerCapture(pointerId);
  });
  for (const type of ['pointerdown', 'touchstart', 'wheel']) on(wheel, type, () => { control.scrolling = true; }, { passive: true });
  // A tap scrolls nothing, and neither does a wheel that is at its end.
  for (const type of ['wheel', 'pointerup', 'pointercancel', 'touchend', 'touchcancel']) on(wheel, type, still, { passive: true });
  on(wheel, 'scroll', () => {
    if (!control.scrolling) return;
    const next = control.view.wheelIndex();
    if (next !== row) control.play('selection');
    row = next;
    hasScrolled = true;
    clearTimeout(resting);
    resting = setTimeout(() => {
      control.scrolling = hasScrolled = false;
      if (!choose(control.view.wheelIndex())) follow();
    }, RESTING);
  }, { passive: true });
}

function describe(control, { choices, index }) {
  const { main } = control, { options, wheel } = control.view.parts, focused = control.shadow.activeElement;
  put(main, wheel ? { role: 'listbox', tabIndex: 0 } : { role: 'radiogroup' });
  if (wheel) tie(main, { 'aria-activedescendant': index === null ? null : `option-${index}` });
  options.forEach((option, at) => {
    const chosen = String(at === index);
    put(option, {
      ariaLabel: choices[at], ariaPosInSet: String(at + 1), ariaSetSize: String(choices.length),
      ...(wheel ? { role: 'option', id: `option-${at}`, ariaSelected: chosen, tabIndex: -1 }
        : { role: 'radio', ariaChecked: chosen, tabIndex: at === (index ?? 0) ? 0 : -1 }),
    });
  });
  // Among segments the focus follows the choice.
  if (!wheel && options.includes(focused) && index !== null) options[index]?.focus();
}
