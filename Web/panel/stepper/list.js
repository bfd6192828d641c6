/** `<stepper-panel match look group>`: the controls that there are, in the configuration's order, also after reloads. */
import { languageOf, make, put, tie, wording } from './dom.js';
import { connection, patternsOf } from './link/connection.js';
import { say, translated } from './words/strings.js';

const HANDED = ['look', 'scheme', 'contrast', 'hit', 'size', 'layout', 'announce', 'haptics', 'sound', 'keypad', 'leave', 'rail'];

export class StepperPanel extends HTMLElement {
  static get observedAttributes() { return ['match', 'group', ...HANDED]; }
  #joined;
  /** Kept, so that nothing loses the focus. */
  #controls = new Map();
  #sections = new Map();
  /** Said once, and not by each control. */
  #notice = make('p', { className: 'notice', hidden: true, style: 'position:fixed;inset:auto 12px 12px;z-index:3;pointer-events:none' });
  #draw = () => {
    if (connection.records.size) this.listed();
    this.linked();
  };

  connectedCallback() {
    this.#joined = this.getAttribute('match') || '*';
    connection.join(this, this.#joined);
    wording.addEventListener('change', this.#draw);
    this.#draw();
  }

  disconnectedCallback() {
    connection.leave(this, this.#joined);
    wording.removeEventListener('change', this.#draw);
  }

  connectedMoveCallback() {}

  attributeChangedCallback() {
    if (!this.isConnected) return;
    this.disconnectedCallback();
    this.connectedCallback();
  }

  linked() {
    put(this.#notice, { hidden: connection.phase !== 'disconnected', textContent: say(languageOf(this), 'lost') });
    if (!this.#notice.isConnected) this.prepend(this.#notice);
  }

  get length() { return this.#controls.size; }

  listed() {
    const fits = expression(this.#joined), wanted = this.getAttribute('group');
    const handed = Object.fromEntries(HANDED.map((name) => [name, this.getAttribute(name)]));
    const groups = new Map(), titles = new Map(), names = [], language = languageOf(this);
    for (const [name, { description }] of connection.records) {
      const group = description.group ?? '';
      if (!fits.test(name) || (wanted ?? group) !== group) continue;
      const control = kept(this.#controls, name, () => make('stepper-control', { name }));
      tie(control, handed);
      names.push(name);
      kept(groups, group, () => []).push(control);
      titles.set(group, translated(description.groupTitles, language) ?? description.groupTitle ?? group);
    }
    const own = (group) => kept(this.#sections, group, () => make('section', {}, ...(group ? [make('h2')] : [])));
    // What goes into another section stays in the document meanwhile.
    arrange(this, [this.#notice, ...[...groups.keys()].map(own)]);
    for (const [group, controls] of groups) {
      const section = own(group);
      if (group) {
        section.dataset.group = group;
        put(section, { role: 'group', ariaLabel: titles.get(group) });
        put(section.firstChild, { textContent: titles.get(group) });
      }
      arrange(section, [...(group ? [section.firstChild] : []), ...controls]);
    }
    for (const [group, { length }] of groups) trim(own(group), length + !!group);
    trim(this, 1 + groups.size);
    for (const name of this.#controls.keys()) if (!names.includes(name)) this.#controls.delete(name);
    for (const group of this.#sections.keys()) if (!groups.has(group)) this.#sections.delete(group);
    this.dispatchEvent(new Event('stepper-list', { bubbles: true }));
  }
}

function kept(map, key, create) {
  if (!map.has(key)) map.set(key, create());
  return map.get(key);
}

/** Puts them first, and moves only what is elsewhere; what has the focus only where it keeps it. */
function arrange(parent, children) {
  children.forEach((child, index) => {
    const there = () => parent.childNodes[index] ?? null, moves = child.isConnected && parent.moveBefore;
    if (!moves && child.parentNode === parent && child.contains(parent.getRootNode().activeElement)) while (there() !== child) parent.append(there());
    if (there() !== child) parent[moves ? 'moveBefore' : 'insertBefore'](child, there());
  });
}

/** Removes what follows so many. */
function trim(parent, count) {
  while (parent.childNodes.length > count) parent.lastChild.remove();
}

/** Of names and shell patterns with * and ?. */
function expression(match) {
  const one = (pattern) => pattern.replace(/[\\^$.*+?()[\]{}|]/g, (mark) => ({ '*': '.*', '?': '.' })[mark] ?? `\\${mark}`);
  return new RegExp(`^(${patternsOf(match).map(one).join('|')})$`, 'u');
}
