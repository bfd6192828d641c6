/** `<stepper-panel match look group>`: the controls that there are, in the configuration's order, and after reloads. */
import { inherited, make } from './dom.js';
import { connection } from './link/connection.js';

/** Attributes that are handed to each control. */
const HANDED = ['look', 'scheme', 'contrast', 'hit', 'size', 'layout', 'announce', 'haptics', 'sound', 'keypad', 'leave', 'rail'];

export class StepperPanel extends HTMLElement {
  static observedAttributes = ['match', 'group', ...HANDED];
  #match;
  #controls = new Map();
  #sections = new Map();

  connectedCallback() { this.#join(); }

  disconnectedCallback() { connection.leave(this, this.#match); }

  attributeChangedCallback() {
    if (!this.isConnected) return;
    connection.leave(this, this.#match);
    this.#join();
  }

  #join() {
    this.#match = this.getAttribute('match') || '*';
    connection.join(this, this.#match);
    if (connection.names.length) this.listed();
  }

  linked() {}

  received() {}

  /** Of the connection: the controls that there are now. What stays is not moved, so that nothing loses the focus. */
  listed() {
    const group = this.getAttribute('group'), fits = pattern(this.#match);
    const names = connection.names.filter((name) => fits.test(name)
      && (group === null || (connection.records.get(name).description.group ?? '') === group));
    const groups = new Map();
    for (const name of names) {
      const own = connection.records.get(name).description.group ?? '';
      groups.set(own, [...(groups.get(own) ?? []), name]);
    }
    for (const [name, control] of this.#controls) if (!names.includes(name)) this.#drop(this.#controls, name, control);
    for (const [name, section] of this.#sections) if (!groups.has(name)) this.#drop(this.#sections, name, section);
    order(this, [...groups].map(([name, members]) => {
      const section = this.#section(name);
      order(section, [...section.querySelectorAll(':scope > h2'), ...members.map((member) => this.#control(member))]);
      return section;
    }));
    this.dispatchEvent(new Event('stepper-list', { bubbles: true }));
  }

  /** How many controls it shows. */
  get length() { return this.#controls.size; }

  #section(name) {
    if (!this.#sections.has(name)) {
      const section = make('section');
      if (name) {
        section.append(make('h2', { textContent: name }));
        Object.assign(section, { role: 'group', ariaLabel: name });
      }
      this.#sections.set(name, section);
    }
    return this.#sections.get(name);
  }

  #control(name) {
    if (!this.#controls.has(name)) this.#controls.set(name, make('stepper-control', { name }));
    const control = this.#controls.get(name);
    for (const attribute of HANDED) {
      const value = this.getAttribute(attribute);
      if (value === control.getAttribute(attribute)) continue;
      if (value === null) control.removeAttribute(attribute);
      else control.setAttribute(attribute, value);
    }
    return control;
  }

  #drop(map, name, element) {
    element.remove();
    map.delete(name);
  }

  /** The language in which it stands. */
  get language() { return inherited(this, 'lang'); }
}

function order(parent, children) {
  children.forEach((child, index) => {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
}

/** A shell pattern with * and ? as an expression. */
function pattern(match) {
  const marks = { '*': '.*', '?': '.' };
  return new RegExp(`^${match.replace(/[\\^$.*+?()[\]{}|]/g, (mark) => marks[mark] ?? `\\${mark}`)}$`);
}
