/** The text field: a draft that no change disturbs, its commit and its refusal. */
import { schedule } from '../dom.js';
import { StepperError } from '../link/api.js';
import { marksOf } from '../words/marks.js';

const reading = () => import('../words/reading.js').catch(({ message }) => { throw new StepperError('Disconnected', message); });

export function bind(control, on) {
  const { input } = control.view.parts, field = new Field(control);
  let touched = false;
  control.field = field;
  on(input, 'pointerdown', ({ pointerType }) => {
    touched = pointerType === 'touch';
    input.inputMode = touched && opensKeypad(control) ? 'none' : inputMode(control.description);
  });
  on(input, 'focus', () => {
    reading().catch(() => {});
    if (touched) input.select();
  });
  on(input, 'click', async ({ pointerType }) => {
    if (!control.writable || !opensKeypad(control) || (pointerType !== 'touch' && control.attribute('keypad') !== 'on')) return;
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
  on(input, 'change', (event) => event.stopPropagation());
  on(input, 'blur', () => field.leave());
  const winui = control.options.look.startsWith('winui');
  on(input, winui ? 'keyup' : 'keydown', ({ key, isComposing }) => key === 'Enter' && !isComposing && field.commit());
  on(input, 'keydown', (event) => {
    if (event.key !== 'Escape' || field.draft === null) return;
    event.preventDefault();
    field.revert();
  });
}

const opensKeypad = (control) => control.attribute('keypad') !== 'off';

function inputMode({ expressions, digits, minimum }) {
  if (expressions) return 'text';
  return digits === 0 && minimum >= 0 ? 'numeric' : 'decimal';
}

/** Whether a control that filters keys lets these characters through. */
export function mayType({ description, numbers }, text) {
  const { numeric, digits, minimum, expressions } = description, { grouping, symbol, unit } = numbers, { decimal, group } = marksOf(numbers);
  if (!numeric) return true;
  const marks = [
    '0123456789', ...marksOf(numbers).digits, digits ? decimal : '', grouping ? group : '', minimum >= 0 ? '' : '-−+',
    expressions ? '+-−*×/^() ' : '', symbol, unit, symbol || unit ? ' \u00a0' : '',
  ].join('');
  return [...text].every((mark) => marks.includes(mark));
}

class Field {
  /** What is typed and not committed; null: nothing. */
  draft = null;
  /** Whether the keypad is open, which has the focus then. */
  keypad = false;
  #before;
  #committing;

  constructor(control) { this.control = control; }

  /** The value that came while a draft is typed. */
  get incoming() {
    const { state, shownText } = this.control;
    return this.draft !== null && state.text !== this.#before ? shownText : null;
  }

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

  /** The focus goes: a draft is committed; what is refused is taken back, its words stay. */
  async leave() {
    const { draft } = this;
    if (this.keypad || draft === null) return;
    if (this.control.error) this.revert();
    else if (!await this.commit() && this.draft === draft) this.#is(null);
  }

  /** Sends the draft; false if it was refused. */
  commit() {
    this.#committing ??= this.#commit().finally(() => { this.#committing = undefined; });
    return this.#committing;
  }

  async #commit() {
    const { draft, control } = this, { description, numbers } = control;
    if (draft === null) return true;
    try {
      const { read, exampleOf } = await reading();
      const text = read(numbers, draft, description.expressions);
      // NumberBox takes back what it cannot read, without a word.
      if (text === undefined && !(description.family ?? description.profile).startsWith('winui')) {
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
