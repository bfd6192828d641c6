/** The kiosk page: one look, cells that fill the screen, pages for what does not fit. */
import { listen, make, put, tie } from '../stepper/dom.js';
import { bindTap } from '../stepper/input/tap.js';
import { connection } from '../stepper/link/connection.js';
import { LOOKS, resolveLook } from '../stepper/looks.js';
import { arrangeCells, headingScale, leastScale } from './cells.js';
import { down } from './pointers.js';

/** Milliseconds: so long after the last change of the window it is drawn anew; a finger that is down is waited for. */
const SETTLE = 50;
const MODES = ['row', 'stack'];
/** A watch's column of buttons would fill a wall with one value. */
const ON_A_WALL = { wear: 'material', slider: 'uikit', picker: 'uikit' };

/** The look that most of its controls have: a page has one. */
function commonLook(records) {
  const counts = new Map();
  for (const { description: { family, profile } } of records) {
    const own = resolveLook(family ?? profile), look = ON_A_WALL[own] ?? own;
    counts.set(look, (counts.get(look) ?? 0) + (own === look ? 1 : 0.5));
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 'uikit';
}

/** What a control is drawn as where a page has one look: sliders stay sliders, and nothing needs a wheel's height. */
function presentationOf({ description: { kind, family, profile, choices = [] } }) {
  if (kind === 'continuous' && /^slider/.test(family ?? profile)) return 'slider';
  return kind === 'choice' && choices.length > 4 ? 'menu' : null;
}

export class Kiosk {
  #panel;
  #dots = make('nav', { className: 'pages', hidden: true });
  #words;
  #least;
  #look;
  /** Cards, pages and repeated headings. */
  #made = [];
  #pages = 1;
  /** The size for which cells have their places, the first control of each page, and that of the page that is shown. */
  #size;
  #firsts = [];
  #shown;
  #waiting;

  /** @param look undefined: that of most controls @param metres how far away the visitor stands @param words (key, values) */
  constructor(panel, { look, metres, words }) {
    this.#panel = panel;
    this.#words = words;
    this.#least = leastScale(metres);
    this.#look = LOOKS.includes(look) ? look : undefined;
    panel.after(this.#dots);
    panel.addEventListener('stepper-list', () => this.#listed());
    panel.addEventListener('scroll', () => this.#mark(), { passive: true });
    panel.addEventListener('focusin', ({ target }) => this.#show(target));
    addEventListener('keydown', (event) => this.#key(event));
    new ResizeObserver(() => this.#plan()).observe(document.documentElement);
    document.fonts.addEventListener('loadingdone', () => this.#plan());
    // What a control shows first, and a range that becomes another one.
    document.addEventListener('stepper-drawn', () => this.#plan());
    this.#dots.ariaLabel = words('pages');
  }

  #listed() {
    const panel = this.#panel, controls = [...panel.querySelectorAll('stepper-control')];
    const records = controls.map(({ name }) => connection.records.get(name)), look = this.#look ?? commonLook(records);
    if (panel.getAttribute('look') !== look) panel.setAttribute('look', look);
    controls.forEach((control, index) => tie(control, { as: presentationOf(records[index]) }));
    // The list took them away; they are there again before it is painted, if there is anything to be placed.
    if (controls.length) panel.append(...this.#made);
    else put(this.#dots, { hidden: true });
    this.#plan();
  }

  #plan() {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => (down.size ? this.#plan() : this.#draw()), SETTLE);
  }

  /** All sizes are read at once for each mode, then everything is placed. */
  #draw() {
    const panel = this.#panel, controls = [...panel.querySelectorAll('stepper-control')];
    if (!controls.length || controls.some(({ shadowRoot }) => !shadowRoot.firstChild)) return;
    const groups = controls.map((control) => control.closest('section').dataset.group ?? '');
    const sizes = controls.map(() => ({}));
    for (const mode of MODES) {
      panel.className = `measured ${mode}`;
      controls.forEach((control, index) => {
        const { width, height } = control.getBoundingClientRect();
        sizes[index][mode] = { width: Math.ceil(width), height: Math.ceil(height) };
      });
    }
    // The dots take room only where they are needed.
    const arranged = (pages) => {
      put(this.#dots, { hidden: !pages });
      const room = { width: panel.clientWidth, height: panel.clientHeight, heading: 1.77 * parseFloat(getComputedStyle(document.documentElement).fontSize) };
      return arrangeCells(sizes.map((size, index) => ({ group: groups[index], sizes: size })), room, this.#least);
    };
    let plan = arranged(false);
    if (plan.pages > 1) plan = arranged(true);
    this.#place(plan, controls);
  }

  #place({ mode, scale, pages, cells, headings, cards }, controls) {
    const panel = this.#panel, { clientWidth: width, clientHeight: height } = panel;
    panel.className = mode;
    document.documentElement.style.setProperty('--scale', scale);
    document.documentElement.style.setProperty('--heading-scale', headingScale(scale));
    panel.style.fontFamily = getComputedStyle(controls[0].shadowRoot.firstChild).fontFamily;
    controls.forEach((control, index) => {
      locate(control, cells[index]);
      control.classList.toggle('first', cells[index].first);
    });
    for (const old of this.#made) old.remove();
    const made = [
      ...cards.map((card) => locate(make('div', { className: 'card' }), card)),
      ...Array.from({ length: pages }, (_, page) => locate(make('div', { className: 'page' }), { x: page * width, y: 0, width, height })),
    ];
    for (const heading of headings) {
      const own = [...panel.querySelectorAll('section')].find(({ dataset }) => dataset.group === heading.group).firstChild;
      // A group that goes on has its heading again, which readers have heard.
      if (heading.again) made.push(locate(make('div', { className: 'again', textContent: own.textContent, ariaHidden: 'true' }), heading));
      else locate(own, heading);
    }
    panel.append(...made);
    this.#made = made;
    this.#pages = pages;
    this.#firsts = Array.from({ length: pages }, (_, page) => controls[cells.findIndex((cell) => cell.page === page)]);
    panel.toggleAttribute('data-swiped', pages > 1);
    const { activeElement } = document;
    if (panel.contains(activeElement)) this.#show(activeElement);
    else if (this.#size !== this.#room && panel.contains(this.#shown)) this.#show(this.#shown, 'instant');
    this.#size = this.#room;
    this.#fillDots();
    panel.dispatchEvent(new Event('stepper-placed', { bubbles: true }));
  }

  #fillDots() {
    const count = this.#pages;
    while (this.#dots.childElementCount > count) this.#dots.lastChild.remove();
    while (this.#dots.childElementCount < count) {
      const page = this.#dots.childElementCount;
      const dot = make('button', { type: 'button' });
      bindTap(listen, dot, () => this.turnTo(page));
      this.#dots.append(dot);
    }
    [...this.#dots.children].forEach((dot, page) => put(dot, { ariaLabel: this.#words('page', { page: page + 1, count }) }));
    this.#mark();
  }

  /** 1 where pages go on to the right, -1 to the left. */
  get #side() { return getComputedStyle(this.#panel).direction === 'rtl' ? -1 : 1; }

  get page() { return Math.min(this.#pages - 1, Math.round(Math.abs(this.#panel.scrollLeft) / Math.max(1, this.#panel.clientWidth))); }

  get #room() { return `${this.#panel.clientWidth} ${this.#panel.clientHeight}`; }

  #mark() {
    const { page } = this;
    // After a turn of the screen the browser scrolls, until the cells have their places again.
    if (this.#size === this.#room) this.#shown = this.#firsts[page];
    [...this.#dots.children].forEach((dot, index) => {
      const ariaCurrent = index === page ? 'page' : null;
      if (ariaCurrent && !dot.ariaCurrent) dot.scrollIntoView({ inline: 'center' });
      put(dot, { ariaCurrent });
    });
  }

  turnTo(page, behavior = 'auto') {
    this.#panel.scrollTo({ left: this.#side * Math.min(Math.max(page, 0), this.#pages - 1) * this.#panel.clientWidth, behavior });
  }

  /** The focus is never on a page that is not seen. */
  #show(element, behavior) {
    const x = parseFloat(element.style.getPropertyValue('--x'));
    if (this.#pages > 1 && x >= 0) this.turnTo(Math.floor(x / this.#panel.clientWidth), behavior);
  }

  /** Where no control has a use for these keys. */
  #key(event) {
    const { key, defaultPrevented, ctrlKey, altKey, metaKey } = event;
    if (this.#pages < 2 || defaultPrevented || ctrlKey || altKey || metaKey) return;
    const dots = this.#dots.contains(document.activeElement), side = this.#side;
    if (document.activeElement?.localName === 'stepper-control') return;
    const step = { PageDown: 1, PageUp: -1, ...(dots ? { ArrowRight: side, ArrowLeft: -side } : {}) }[key];
    const page = step ? this.page + step : { Home: 0, End: this.#pages - 1 }[key];
    if (page === undefined) return;
    event.preventDefault();
    this.turnTo(page);
    if (dots) this.#dots.children[Math.min(Math.max(page, 0), this.#pages - 1)].focus();
  }
}

function locate(element, { x, y, width, height }) {
  for (const [name, value] of Object.entries({ x, y, w: width, h: height })) element.style.setProperty(`--${name}`, `${value}px`);
  return element;
}
