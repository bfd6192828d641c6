/** `<stepper-control>`: attributes, properties, methods and the form around a Control. */
import { Control } from './control.js';
import { camel, schedule } from './dom.js';
import { connection } from './link/connection.js';

const WORDS = [
  'name', 'look', 'as', 'orientation', 'size', 'spin-buttons', 'layout', 'shape', 'label', 'subtitle', 'placeholder', 'unit', 'value-display',
  'scheme', 'contrast', 'hit', 'announce', 'haptics', 'sound', 'keypad', 'leave', 'rail', 'icon-rendering',
];
const FLAGS = ['disabled', 'readonly', 'required'];
/** Of the state, and what they are without one. */
const LEVELS = { text: null, limit: 'none', live: false, editing: false };
const VALIDITY = ['form', 'labels', 'validity', 'validationMessage', 'willValidate'];
const PROPERTIES = [];

export class StepperControl extends HTMLElement {
  static get formAssociated() { return true; }
  static get observedAttributes() { return [...WORDS, ...FLAGS, 'aria-label', 'lang', 'dir']; }
  static {
    const define = (name, get, set) => Object.defineProperty(this.prototype, name, { get, set });
    for (const name in LEVELS) define(name, function get() { return this.state?.[name] ?? LEVELS[name]; });
    for (const name of VALIDITY) define(name, function get() { return this.#internals[name]; });
    for (const attribute of [...WORDS, ...FLAGS]) {
      const name = camel(attribute), flag = FLAGS.includes(name);
      PROPERTIES.push(name);
      define(name, function get() { return flag ? this.hasAttribute(name) : this.getAttribute(attribute) ?? ''; },
        function set(value) { if (flag) this.toggleAttribute(name, !!value); else this.setAttribute(attribute, value); });
    }
    // It is that of the control that the others name.
    PROPERTIES.push('value');
  }

  #internals = this.attachInternals();
  #control = new Control(this, this.#internals, this.attachShadow({ mode: 'open', delegatesFocus: true }));

  connectedCallback() {
    // What a page set before the element was defined hides the properties.
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    this.#control.connect();
  }

  disconnectedCallback() { this.#control.disconnect(); }

  /** With it, moveBefore() ends nothing. */
  connectedMoveCallback() {}

  attributeChangedCallback(name, old, now) {
    if (!this.isConnected || old === now) return;
    if (name === 'name') {
      this.#control.disconnect();
      this.#control.connect();
    }
    schedule(this.#control);
  }

  formDisabledCallback() { schedule(this.#control); }
  formResetCallback() { this.#control.reset(); }

  get value() { return this.#control.state.value ?? null; }
  set value(value) { this.set(value).catch(() => {}); }
  get state() { return this.#control.record?.state ?? null; }
  get description() { return this.#control.record?.description ?? null; }
  get connected() { return connection.phase === 'connected' && !!this.state; }
  get valueText() { return this.#control.valueText; }
  get canIncrement() { return this.#control.can('increment'); }
  get canDecrement() { return this.#control.can('decrement'); }
  get hold() { return this.#control.hold; }
  get type() { return this.localName; }
  checkValidity() { return this.#internals.checkValidity(); }
  reportValidity() { return this.#internals.reportValidity(); }

  stepUp(n = 1) { return this.#call('step', { steps: n, unit: 'step' }); }
  stepDown(n = 1) { return this.stepUp(-n); }
  pageUp() { return this.#page(1); }
  pageDown() { return this.#page(-1); }
  reset() { return this.#call('reset', {}); }

  /** A number, a text in the C locale, or null for no value. */
  set(value, { clamp, ifSequence } = {}) {
    return this.#call('set', { ...(typeof value === 'number' ? { value } : { text: String(value ?? '') }), clamp, ifSequence });
  }

  /** Holds an action until `release()` of what this promises. */
  press(action = 'increment') { return this.#control.track({ action }).began; }
  #page(steps) { return this.#call('step', { steps, unit: 'page' }); }
  async #call(verb, body) { return (await this.#control.call(verb, body)).state; }
}
