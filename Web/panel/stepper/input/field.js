/** The text field: a draft that no change disturbs, its commit and its refusal. */
import { put, schedule } from '../dom.js';
import { StepperError } from '../link/api.js';
import { exampleOf, mayType, read } from '../words/reading.js';
import { submit } from './submit.js';

export { mayType };

/** Its keyboards for numbers have no minus. */
const IPHONE = /iPhone|iPod/.test(navigator.userAgent);
/** Of a text for `set`, which is in ASCII: the daemon's limit. */
const MOST_BYTES = 1024;

export function bind(control, on) {
  const { input } = control.view.parts, field = new Field(control);
  let pointer, before, entered = false;
  control.field = field;
  control.describeOptions = () => put(input, { inputMode: opensKeypad(control, pointer) ? 'none' : inputMode(control.description) });
  on(input, 'pointerdown', ({ pointerType }) => {
    pointer = pointerType;
    control.describeOptions();
  });
  on(input, 'focus', () => pointer === 'touch' && input.select());
  on(input, 'click', async ({ pointerType }) => {
    if (!control.writable || !opensKeypad(control, pointerType)) return;
    const keypad = await import('./keypad.js').catch(() => {});
    keypad?.openKeypad(control, input);
  });
  on(input, 'beforeinput', (event) => {
    if (!control.writable || !mayType(control, event.data ?? '')) event.preventDefault();
  });
  on(input, 'input', (event) => {
    event.stopPropagation();
    field.write(input.value);
  });
  // What an input method composes cannot be prevented, but taken back.
  on(input, 'compositionstart', () => { before = { draft: field.draft, text: input.value, caret: input.selectionStart }; });
  on(input, 'compositionend', ({ data }) => {
    if (mayType(control, data)) return;
    input.value = before.text;
    input.setSelectionRange(before.caret, before.caret);
    if (before.draft === null) field.revert();
    else field.write(before.draft);
  });
  on(input, 'change', (event) => event.stopPropagation());
  on(input, 'blur', () => field.leave());
  const winui = control.options.look.startsWith('winui');
  const enter = async () => { if (await field.commit()) submit(control.internals.form); };
  on(input, 'keydown', (event) => {
    entered = event.key === 'Enter' && !event.isComposing;
    if (entered && !winui && !event.repeat) enter();
    if (event.key !== 'Escape' || field.draft === null) return;
    event.preventDefault();
    field.revert();
  });
  on(input, 'keyup', ({ key }) => winui && entered && key === 'Enter' && enter());
}

/** By touch or pen, also before there was one; `keypad="on"`: always. */
function opensKeypad(control, pointer) {
  const wish = control.attribute('keypad', 'auto');
  return wish === 'on' || (wish !== 'off' && (pointer ? pointer !== 'mouse' : matchMedia('(pointer: coarse)').matches));
}

function inputMode({ expressions, digits, minimum }) {
  if (expressions || (IPHONE && !(minimum >= 0))) return 'text';
  return digits === 0 && minimum >= 0 ? 'numeric' : 'decimal';
}

class Field {
  /** What is typed and not committed; null: nothing. */
  draft = null;
  /** The dialog that is open, which has the focus then. */
  keypad;
  #before;
  /** The draft that is on its way, and whether it was taken. */
  #sent;
  #committing;
  #isTaken = false;

  constructor(control) { this.control = control; }

  /** The value that came while a draft is typed. */
  get incoming() {
    const { state, shownText } = this.control;
    return this.draft !== null && state.text !== this.#before ? shownText : null;
  }

  /** What is typed and not on its way. */
  get typing() { return this.#committing && this.draft === this.#sent ? '' : this.draft ?? ''; }

  write(text) {
    if (this.draft === null) this.#before = this.control.state.text;
    this.#is(text);
    this.control.refuse();
  }

  revert() {
    this.#is(null);
    this.control.refuse();
  }

  #is(draft) {
    this.draft = draft;
    schedule(this.control);
  }

  /** The number that is typed; undefined: there is none, or it cannot be read. */
  get typed() {
    const text = this.draft && read(this.control.numbers, this.draft, false);
    return text ? Number(text) : undefined;
  }

  /** Its element is taken out of the document, perhaps to be put in elsewhere: a dialog does not survive it. */
  taken() {
    this.#isTaken = true;
    this.keypad?.close();
  }

  /** The focus goes: a draft is committed; what is refused is taken back, and its words with it. */
  async leave() {
    const { draft } = this;
    this.#isTaken = false;
    await undefined;
    // Nobody left it.
    if (this.#isTaken) return void this.control.focus();
    if (this.keypad || draft === null) return;
    if (this.control.error === null && await this.commit()) return;
    if (this.draft === draft) this.revert();
  }

  /** Sends the draft, after one that is on its way; false if it was refused. */
  commit() {
    const { draft } = this;
    if (!this.#committing || draft !== this.#sent) {
      const own = Promise.resolve(this.#committing).then(() => this.#commit(draft)).finally(() => {
        if (this.#committing === own) this.#committing = undefined;
      });
      this.#sent = draft;
      this.#committing = own;
    }
    return this.#committing;
  }

  async #commit(draft) {
    const { control } = this, { description, numbers } = control;
    if (draft === null) return true;
    try {
      let text = read(numbers, draft, description.expressions);
      if (text?.length > MOST_BYTES) text = undefined;
      // NumberBox takes back what it cannot read, without a word.
      if (text === undefined && !(description.family ?? description.profile ?? '').startsWith('winui')) {
        throw new StepperError('Unreadable', control.say('unreadable', { example: exampleOf(numbers, description) }));
      }
      if (text !== undefined) await control.call('set', { text });
      if (this.draft === draft) this.#is(null);
      return true;
    } catch (error) {
      control.refuse(error);
      return false;
    }
  }
}
