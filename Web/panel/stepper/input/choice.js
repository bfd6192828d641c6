/** Choosing among options: segments, the wheel, the menu. The selection shown is always the daemon's. */

/** Milliseconds in which typed letters belong together, and after which a wheel rests. */
const TYPING = 1000, RESTING = 120;

export function bindChoice(control, on) {
  const { options = [], wheel, segmented, select } = control.view.parts;
  if (select) return on(select, 'change', (event) => {
    event.stopPropagation();
    choose(control, select.selectedIndex);
  });
  const list = wheel ?? segmented;
  if (!list) return;
  options.forEach((option, index) => on(option, 'click', () => choose(control, index)));
  let letters = '', typing;
  const search = (letter) => {
    clearTimeout(typing);
    typing = setTimeout(() => { letters = ''; }, TYPING);
    letters += letter.toLowerCase();
    return control.choices.findIndex((title) => title.toLowerCase().startsWith(letters));
  };
  on(list, 'keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const now = control.state?.value ?? -1, last = options.length - 1;
    const side = control.rightToLeft ? -1 : 1;
    const page = wheel ? 5 : 1;
    const next = {
      ArrowDown: now + 1, ArrowUp: now - 1, PageDown: Math.min(last, now + page), PageUp: Math.max(0, now - page),
      Home: 0, End: last, ...(wheel ? {} : { ArrowRight: now + side, ArrowLeft: now - side }),
    }[event.key] ?? (event.key.length === 1 && event.key !== ' ' ? search(event.key) : undefined);
    if (next === undefined) return;
    event.preventDefault();
    const wraps = control.description.wrap || segmented;
    choose(control, wraps && next > last ? 0 : wraps && next < 0 && event.key.startsWith('Arrow') ? last : next);
  });
  if (wheel) bindScrolling(control, on, wheel);
}

function choose(control, index) {
  if (control.writable && control.choices[index] !== undefined && index !== control.state?.value) {
    control.act({ value: index });
  }
}

/** The row that rests under the indicator after a finger or the mouse moved the wheel is chosen. */
function bindScrolling(control, on, wheel) {
  let resting;
  const began = () => { control.scrolling = true; };
  for (const type of ['pointerdown', 'touchstart', 'wheel']) on(wheel, type, began, { passive: true });
  on(wheel, 'scroll', () => {
    if (!control.scrolling) return;
    control.tick(control.view.wheelIndex());
    clearTimeout(resting);
    resting = setTimeout(() => {
      choose(control, control.view.wheelIndex());
      control.scrolling = false;
    }, RESTING);
  }, { passive: true });
}
