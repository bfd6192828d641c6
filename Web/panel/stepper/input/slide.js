/** Dragging a thumb, and the wheel of the mouse. */
import { schedule } from '../dom.js';

/** A finger that rests so long sees the truth. A wheel's remainder is kept so long. Milliseconds. */
const REST = 300;
/** Half a native thumb's width, within which `rail="thumb"` lets a drag begin. CSS pixels. */
const THUMB = 22;

export function bindSlider(control, on) {
  const { range } = control.view.parts;
  if (!range) return;
  let drag;
  const position = () => (range.value - range.min) / (range.max - range.min);
  const refuseRail = (event) => {
    if (control.writable && (control.attribute('rail', 'jump') !== 'thumb' || onThumb(control, range, event))) return;
    event.preventDefault();
  };
  on(range, 'mousedown', refuseRail);
  on(range, 'touchstart', (event) => refuseRail(Object.assign(event, event.touches[0] && {})), { passive: false });
  on(range, 'pointerdown', (event) => {
    if (event.button || !control.writable) return;
    drag?.end();
    drag = new Drag(control);
    const over = new AbortController();
    const end = ({ pointerId }) => {
      if (pointerId !== event.pointerId) return;
      over.abort();
      drag?.end();
      drag = undefined;
    };
    for (const type of ['pointerup', 'pointercancel']) addEventListener(type, end, { capture: true, signal: over.signal });
  });
  on(range, 'input', (event) => {
    event.stopPropagation();
    if (drag) return drag.to(position());
    // Neither pointer nor key: a reader's gesture, which UISlider answers with a tenth.
    const action = range.value > control.state.value ? 'pageIncrement' : 'pageDecrement';
    range.value = control.state.value;
    if (control.can(action)) control.press(action).release();
  });
  on(range, 'change', (event) => event.stopPropagation());
  on(range, 'keydown', (event) => {
    if (event.key !== 'Escape' || !drag) return;
    event.preventDefault();
    drag.giveBack();
    drag = undefined;
  });
}

function onThumb(control, range, event) {
  const { left, width, top, height } = range.getBoundingClientRect();
  const { clientX, clientY } = event.touches?.[0] ?? event;
  const upright = control.options.orientation === 'vertical';
  const along = upright ? 1 - (clientY - top) / height : (clientX - left) / width;
  const fraction = !upright && control.rightToLeft ? 1 - along : along;
  return Math.abs(fraction - control.fraction) * (upright ? height : width) <= THUMB;
}

/** One drag: the latest position, one request at a time, at most one in a frame, the last one always. */
class Drag {
  #control;
  #hold;
  #wanted;
  #sending = false;
  #ended = false;
  #before;
  #rest;

  constructor(control) {
    this.#control = control;
    this.#before = control.state?.text;
    control.begin();
  }

  to(position) {
    if (this.#ended || this.#hold?.released) return;
    this.#control.dragged = position;
    this.#wanted = position;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#show(), REST);
    schedule(this.#control);
    this.#send();
  }

  #show() {
    this.#control.dragged = null;
    schedule(this.#control);
  }

  async #send() {
    if (this.#sending) return;
    this.#sending = true;
    while (this.#wanted !== undefined && !this.#hold?.released) {
      const position = this.#wanted;
      this.#wanted = undefined;
      try {
        if (this.#hold) await this.#hold.move(position);
        else await (this.#hold = this.#control.slide(position)).began;
      } catch (error) {
        this.#control.refuse(error);
        break;
      }
      if (!document.hidden) await new Promise(requestAnimationFrame);
    }
    this.#sending = false;
    if (this.#ended) this.#finish();
  }

  end() {
    if (this.#ended) return;
    this.#ended = true;
    if (!this.#sending) this.#finish();
  }

  async #finish() {
    await this.#hold?.release();
    clearTimeout(this.#rest);
    this.#show();
    this.#control.end();
  }

  /** As it was before. */
  giveBack() {
    this.#wanted = undefined;
    this.end();
    if (this.#before !== undefined) this.#control.set({ text: this.#before }).catch((error) => this.#control.refuse(error));
  }
}

/** Listens only while the control has the focus: without it the page scrolls, and unhindered. */
export function bindWheel(control, on) {
  let sum = 0, waiting = 0, turning = false, rest, listening;
  const turn = (event) => {
    if (event.ctrlKey || !control.writable || !['stepper', 'field', 'slider'].includes(control.options.as)) return;
    event.preventDefault();
    sum -= event.deltaY / [100, 3, 1][event.deltaMode];
    const detents = Math.trunc(sum);
    sum -= detents;
    clearTimeout(rest);
    rest = setTimeout(() => { sum = 0; }, REST);
    waiting += detents;
    send();
  };
  const send = async () => {
    if (turning) return;
    turning = true;
    while (waiting) {
      const detents = waiting;
      waiting = 0;
      if (control.draft === null || await control.commit()) await control.turn(detents);
    }
    turning = false;
  };
  const { root } = control.view;
  on(root, 'focusin', () => {
    listening ??= new AbortController();
    root.addEventListener('wheel', turn, { passive: false, signal: listening.signal });
  });
  on(root, 'focusout', () => {
    listening?.abort();
    listening = undefined;
  });
}
