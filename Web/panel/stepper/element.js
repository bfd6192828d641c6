/** `<stepper-control>`: attributes, properties, methods and the form around a Control. */
import { Control } from './control.js';
import { schedule } from './dom.js';
import { connection } from './link/connection.js';

const WORDS = [
  'name', 'look', 'as', 'orientation', 'size', 'spin-buttons', 'layout', 'shape', 'label', 'subtitle', 'placeholder',
  'unit', 'value-display', 'scheme', 'contrast', 'hit', 'announce', 'haptics', 'sound', 'keypad', 'leave', 'rail',
  'icon-rendering',
];
const FLAGS = ['disabled', 'readonly', 'required'];

export class StepperControl extends HTMLElement {
  static formAssociated = true;
  static observedAttributes = [...WORDS, ...FLAGS, 'aria-label', 'lang', 'dir'];
  #internals = this.attachInternals();
  #control = new Control(this, this.#internals, this.attachShadow({ mode: 'open', delegatesFocus: true }));

  connectedCallback() {
    // Properties that were set before the element was defined.
    for (const name of ['value', ...WORDS.map(camel), ...FLAGS]) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    this.#control.connect();
  }

  disconnectedCallback() { this.#control.disconnect(); }

  attributeChangedCallback(name, old, now) {
    if (!this.isConnected || old === now) return;
    if (name === 'name') {
      this.#control.disconnect(old ?? '');
      this.#control.connect();
    }
    schedule(this.#control);
  }

  formAssociatedCallback() { this.#control.setFormValue(); }
  formDisabledCallback() { schedule(this.#control); }

  get value() { return this.#control.state?.value ?? null; }
  set value(value) { this.set(value).catch(() => {}); }
  get text() { return this.#control.state?.text ?? null; }
  get valueText() { return this.#control.valueText; }
  get state() { return this.#control.state ?? null; }
  get description() { return this.#control.description ?? null; }
  get limit() { return this.state?.limit ?? 'none'; }
  get live() { return this.state?.live ?? false; }
  get editing() { return this.state?.editing ?? false; }
  get connected() { return connection.phase === 'connected' && this.state !== null; }
  get canIncrement() { return this.#control.can('increment'); }
  get canDecrement() { return this.#control.can('decrement'); }
  get hold() { return this.#control.hold; }
  get form() { return this.#internals.form; }
  get labels() { return this.#internals.labels; }
  get validity() { return this.#internals.validity; }
  get validationMessage() { return this.#internals.validationMessage; }
  get willValidate() { return this.#internals.willValidate; }
  get type() { return this.localName; }
  checkValidity() { return this.#internals.checkValidity(); }
  reportValidity() { return this.#internals.reportValidity(); }

  /** Each gives a promise of the state, and rejects with StepperError. */
  stepUp(n = 1) { return this.#step(n, 'step'); }
  stepDown(n = 1) { return this.#step(-n, 'step'); }
  pageUp() { return this.#step(1, 'page'); }
  pageDown() { return this.#step(-1, 'page'); }
  async reset() { return (await this.#control.call('reset', {})).state; }

  /** A number, a text in the C locale, or null for no value. */
  set(value, { clamp, ifSequence } = {}) {
    return this.#control.set({ ...(typeof value === 'number' ? { value } : { text: String(value ?? '') }), clamp, ifSequence });
  }

  /** Holds an action such as "increment" until `release()` of what this promises. */
  press(action = 'increment') { return Promise.resolve(this.#control.press(action).began); }
  async #step(steps, unit) { return (await this.#control.call('step', { steps, unit })).state; }
}

const camel = (name) => name.replace(/-./g, (mark) => mark[1].toUpperCase());

for (const name of WORDS) {
  Object.defineProperty(StepperControl.prototype, camel(name), {
    configurable: true, enumerable: true,
    get() { return this.getAttribute(name) ?? ''; },
    set(value) { if (value === null) this.removeAttribute(name); else this.setAttribute(name, value); },
  });
}
for (const name of FLAGS) {
  Object.defineProperty(StepperControl.prototype, name, {
    configurable: true, enumerable: true,
    get() { return this.hasAttribute(name); },
    set(value) { this.toggleAttribute(name, Boolean(value)); },
  });
}
