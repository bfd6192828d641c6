/** Our own keypad, for a kiosk without a keyboard: opened by touch; `inputmode="none"` keeps the system's away. */
import { make } from '../dom.js';
import { sheet } from '../view.js';
import { marksOf } from '../words/marks.js';
import { mayType } from './field.js';

const style = sheet('styles/keypad');

export function openKeypad(control, input) {
  const { numbers, field, description: { minimum, maximum, digits, expressions, mayBeUnset }, shadow } = control;
  let text = field.draft ?? '';
  const part = (name, element, ...children) => {
    element.setAttribute('part', name);
    element.append(...children);
    return element;
  };
  const shown = part('keypad-value', make('output'));
  const write = (now) => {
    text = now;
    shown.value = text || '\u00a0';
    field.write(text);
  };
  const close = (commits) => {
    if (!commits) field.revert();
    else if (field.draft !== null) field.commit();
    dialog.close();
  };
  const key = (label, act, name = '', ariaLabel = null) => {
    const made = part(`key ${name && `key-${name}`}`.trim(), make('button', { type: 'button', textContent: label, ariaLabel }));
    made.addEventListener('click', act);
    return made;
  };
  const type = (mark) => key(mark, () => write(text + mark));
  const word = (name, act, label = control.say(name)) => key(label, act, name, control.say(name));
  const erase = () => write([...text].slice(0, -1).join(''));
  const written = marksOf(numbers);
  const marks = [...(digits === 0 && !expressions ? [] : [written.decimal]), ...(expressions ? '+-*/^()' : minimum >= 0 ? '' : '-')];
  const write_ = (end) => numbers.format(String(end));
  const hint = minimum === undefined || maximum === undefined ? ''
    : control.say('range', { minimum: write_(minimum), maximum: write_(maximum) });
  const keys = part('keys', make('div'), ...[7, 8, 9, 4, 5, 6, 1, 2, 3, 0].map((digit) => type(written.digits[digit])),
    ...marks.map(type), word('backspace', erase, '⌫'), ...(mayBeUnset ? [word('clear', () => write(''), 'C')] : []),
    word('cancel', () => close(false)), word('ok', () => close(true)));
  const dialog = part('keypad', make('dialog', { role: 'dialog', ariaLabel: control.say('keypad', { name: control.label }) }),
    shown, part('keypad-hint', make('p', { textContent: hint })), keys);
  dialog.addEventListener('cancel', () => field.revert());
  dialog.addEventListener('close', () => {
    dialog.remove();
    input.focus();
    field.keypad = false;
  });
  // A keyboard that is there after all.
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Backspace') erase();
    else if (/^\S$/.test(event.key) && mayType(control, event.key)) write(text + event.key);
    else if (event.key !== 'Enter' || event.composedPath()[0].part.contains('key-cancel')) return;
    else close(true);
    event.preventDefault();
  });
  field.keypad = true;
  shadow.adoptedStyleSheets = [...control.view.styles, style];
  shadow.append(dialog);
  shown.value = text || '\u00a0';
  dialog.showModal();
}
