/** Our own keypad, for a kiosk without a keyboard: opened by touch, `inputmode="none"` keeps the system's away. */
import { make, put } from '../dom.js';
import { say } from '../words/strings.js';

export function bindKeypad(control, on) {
  const { input } = control.view.parts;
  if (control.options.as !== 'field') return;
  on(input, 'click', ({ pointerType }) => {
    if (control.writable && control.opensKeypad && (pointerType === 'touch' || control.attribute('keypad') === 'on')) open(control, input);
  });
}

function open(control, input) {
  const { language, numbers, description } = control;
  const { minimum, maximum, digits, expressions, mayBeUnset } = description;
  const close = new AbortController();
  let text = control.draft ?? '';
  const shown = make('output', { part: 'keypad-value' });
  const write = (now) => {
    text = now;
    shown.value = text || '\u00a0';
    control.write(text);
  };
  const end = (commits) => {
    dialog.close();
    if (commits && control.draft !== null) control.commit();
    else control.revert();
  };
  const key = (name, label, act, words = label) => {
    const button = make('button', { type: 'button', textContent: label, ariaLabel: words });
    button.setAttribute('part', `key key-${name}`);
    button.addEventListener('click', act);
    return button;
  };
  const type = (mark) => key(/\d/.test(mark) ? 'digit' : 'mark', mark, () => write(text + mark));
  const local = [...numbers.digits.keys()];
  const digit = (value) => type(local.find((one) => numbers.digits.get(one) === String(value)));
  const word = (name) => say(language, name);
  const marks = expressions ? ['+', '-', '*', '/', '^', '(', ')'] : minimum >= 0 ? [] : ['-'];
  const hint = [minimum, maximum].every((limit) => limit !== undefined)
    ? say(language, 'range', { minimum: numbers.format(String(minimum)), maximum: numbers.format(String(maximum)) }) : '';
  const keys = make('div', {}, ...[7, 8, 9, 4, 5, 6, 1, 2, 3].map(digit), ...(digits === 0 && !expressions ? [] : [type(numbers.decimal)]),
    digit(0), key('backspace', '⌫', () => write([...text].slice(0, -1).join('')), word('backspace')), ...marks.map(type),
    ...(mayBeUnset ? [key('clear', 'C', () => write(''), word('clear'))] : []),
    key('cancel', word('cancel'), () => end(false)), key('ok', word('ok'), () => end(true)));
  keys.setAttribute('part', 'keys');
  shown.setAttribute('part', 'keypad-value');
  const range = make('p', { textContent: hint });
  range.setAttribute('part', 'keypad-hint');
  const dialog = make('dialog', { role: 'dialog', ariaLabel: say(language, 'keypad', { name: control.label }) }, shown, range, keys);
  dialog.setAttribute('part', 'keypad');
  dialog.addEventListener('cancel', (event) => { event.preventDefault(); end(false); });
  dialog.addEventListener('close', () => {
    close.abort();
    dialog.remove();
    control.keypad = false;
    input.focus();
  });
  // A keyboard that is there after all.
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Enter') end(true);
    else if (event.key === 'Backspace') write([...text].slice(0, -1).join(''));
    else if (event.key.length === 1 && event.key !== ' ' && control.mayType(event.key)) write(text + event.key);
    else return;
    event.preventDefault();
  });
  control.keypad = true;
  control.shadow.append(dialog);
  put(shown, { value: text || '\u00a0' });
  dialog.showModal();
}
