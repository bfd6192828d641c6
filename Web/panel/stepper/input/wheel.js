/** The wheel of the mouse, which turns only the control that has the focus: otherwise the page scrolls. */

/** One detent in each unit of a wheel event: pixels, lines, pages. */
const DETENT = [100, 3, 1];
/** Milliseconds that a remainder is kept; that what is published after a detent is this control's own. */
const REST = 300, OWN = 350;

/** Is loaded when the control has the focus or the pointer for the first time. */
export function bind(control, on) {
  let sum = 0, waiting = 0, turning = false, rest, listening;
  const { root } = control.view;
  const send = async () => {
    if (turning) return;
    turning = true;
    while (waiting) {
      const detents = waiting;
      waiting = 0;
      if (control.draft === null || await control.field.commit()) await turnBy(control, detents);
    }
    turning = false;
  };
  const turn = (event) => {
    if (event.ctrlKey || !control.writable) return;
    event.preventDefault();
    sum -= event.deltaY / DETENT[event.deltaMode];
    waiting += Math.trunc(sum);
    sum %= 1;
    clearTimeout(rest);
    rest = setTimeout(() => { sum = 0; }, REST);
    send();
  };
  // A listener that may prevent scrolling costs every scroll: it is there only with the focus.
  const listen = () => {
    listening ??= new AbortController();
    root.addEventListener('wheel', turn, { passive: false, signal: listening.signal });
  };
  on(root, 'focusin', listen);
  if (root.matches(':focus-within')) listen();
  on(root, 'focusout', () => {
    listening?.abort();
    listening = undefined;
  });
}

async function turnBy(control, detents) {
  control.begin();
  const answer = await control.act('turn', { detents });
  control.mode = answer?.mode ?? control.mode;
  setTimeout(() => control.end(), OWN);
}
