/** Dragging a thumb. */
import { put, schedule } from '../dom.js';
import { distance } from './tap.js';

/** Milliseconds after which a finger that rests sees the truth. */
const REST = 300;
/** Milliseconds from one request to the next, which leaves others of what the server takes; after one that may succeed later. */
const SPACING = 33, AGAIN = 150;
/** How often the last position is sent again when the finger has gone. */
const MOST_AGAIN = 5;
/** With `rail="thumb"` a drag begins on it or so near to it. CSS pixels. */
const NEAR = 8;

export function bind(control, on) {
  const { range, thumb } = control.view.parts;
  control.describeOptions = (model) => describe(control, model);
  let drag;
  const refuseRail = (event) => {
    if (control.writable && (control.attribute('rail') !== 'thumb' || distance(thumb, event.touches?.[0] ?? event) < NEAR)) return;
    event.preventDefault();
  };
  on(range, 'mousedown', refuseRail);
  on(range, 'touchstart', refuseRail, { passive: false });
  on(range, 'pointerdown', ({ button, pointerId }) => {
    if (button || !control.writable) return;
    drag?.end();
    drag = new Drag(control);
    const over = new AbortController();
    // The last one: while another button of the mouse is down, that is how its first one is let go.
    for (const type of ['pointerup', 'pointercancel', 'pointermove']) {
      addEventListener(type, (event) => {
        if (event.pointerId !== pointerId || event.buttons & 1) return;
        over.abort();
        drag?.end();
        drag = undefined;
        schedule(control);
      }, { capture: true, signal: over.signal });
    }
  });
  on(range, 'input', (event) => {
    event.stopPropagation();
    const { value, min, max } = range;
    if (drag) return drag.to((value - min) / (max - min));
    // Neither pointer nor key: a reader's gesture, which moves UISlider by a tenth.
    const action = value > control.state.value ? 'pageIncrement' : 'pageDecrement';
    range.value = control.state.value;
    if (control.can(action)) control.press(action).release();
  });
  on(range, 'change', (event) => event.stopPropagation());
  on(range, 'keydown', (event) => {
    if (event.key !== 'Escape' || !drag) return;
    event.preventDefault();
    // It stays until the pointer's end, and takes what the browser makes of the pointer.
    drag.end(true);
  });
}

function describe({ main, valueText, state, options, dragged }, { minimum, maximum }) {
  put(main, {
    min: String(minimum), max: String(maximum), step: 'any', ariaValueText: valueText,
    ariaOrientation: options.orientation === 'vertical' ? 'vertical' : null,
  });
  if (dragged === null) put(main, { value: String(state.value ?? minimum) });
}

/** The latest position, one request at a time, thirty in a second, the last one always. */
class Drag {
  #control;
  #before;
  #hold;
  #wanted;
  #sending;
  #ended = false;
  #rest;
  /** Ends the pause between two requests. */
  #goOn;

  constructor(control) {
    this.#control = control;
    this.#before = control.state.text;
    control.begin();
  }

  to(position) {
    if (this.#ended || this.#hold?.released) return;
    this.#wanted = position;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#show(null), REST);
    this.#show(position);
    this.#sending ??= this.#send();
  }

  #show(position) {
    this.#control.dragged = position;
    schedule(this.#control);
  }

  async #send() {
    // From where the thumb stands, so that a fader that must be picked up is.
    if (!this.#hold) this.#hold = this.#control.track({ position: this.#control.fraction ?? this.#wanted });
    try {
      await this.#hold.began;
      for (let left = MOST_AGAIN; this.#wanted !== undefined && !this.#hold.released;) {
        const position = this.#wanted, begun = performance.now();
        this.#wanted = undefined;
        try {
          await this.#hold.move(position);
          if (!this.#ended) await this.#pause(SPACING - (performance.now() - begun));
        } catch (error) {
          if (this.#ended) left -= 1;
          if (!error.temporary || !left) throw error;
          this.#wanted ??= position;
          await this.#pause(AGAIN);
        }
      }
    } catch (error) {
      this.#control.refuse(error);
    }
    this.#sending = undefined;
  }

  #pause(milliseconds) {
    return new Promise((resume) => {
      this.#goOn = resume;
      setTimeout(resume, Math.max(0, milliseconds));
    });
  }

  /** @param givesBack whether the control is then as it was before */
  async end(givesBack) {
    if (this.#ended) return;
    this.#ended = true;
    if (givesBack) this.#wanted = undefined;
    this.#goOn?.();
    await this.#sending;
    await this.#hold?.release();
    clearTimeout(this.#rest);
    this.#show(null);
    this.#control.end();
    if (givesBack && this.#before !== undefined) this.#control.act('set', { text: this.#before });
  }
}
