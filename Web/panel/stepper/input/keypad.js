/** Our own keypad, for a kiosk without a keyboard: opened by touch; `inputmode="none"` keeps the system's away. */
import { listen, make } from '../dom.js';
import { sheet } from '../view.js';
import { marksOf } from '../words/marks.js';
import { mayType } from './field.js';
import { bindTap } from './tap.js';

const style = sheet('styles/keypad');

export function openKeypad(control, input) {
  const { numbers, field, description, shadow } = control, { digits, minimum, maximum, expressions, mayBeUnset } = description;
  let text = field.typing;
  const part = (name, element, ...children) => {
    element.setAttribute('part', name);
    element.append(...children);
    return element;
  };
  const shown = part('keypad-value', make('output', { ariaLabel: control.label }));
  const show = () => {
    shown.value = text || '\u00a0';
    shown.scrollLeft = shown.scrollWidth;
  };
  const write = (now) => {
    text = now;
    show();
    field.write(text);
  };
  const close = (commits) => {
    if (!commits) field.revert();
    else if (field.draft !== null) field.commit();
    dialog.close();
  };
  const key = (label, act, name = '', ariaLabel = null) => {
    const made = part(`key ${name && `key-${name}`}`.trim(), make('button', { type: 'button', textContent: label, ariaLabel }));
    bindTap(listen, made, act);
    return made;
  };
  const type = (mark) => key(mark, () => write(text + mark));
  const word = (name, act, label = control.say(name)) => key(label, act, name, control.say(name));
  const erase = () => write([...text].slice(0, -1).join(''));
  const written = marksOf(numbers), decimal = digits === 0 && !expressions ? [] : [written.decimal];
  const sign = minimum >= 0 && !expressions ? [] : ['-'];
  // Each row fills its width, so that a key that a control has no use for leaves no hole.
  const row = (...keys) => part('keypad-row', make('div'), ...keys);
  const rows = [[7, 8, 9], [4, 5, 6], [1, 2, 3]].map((numerals) => numerals.map((digit) => written.digits[digit]));
  rows.push([...(expressions ? [] : sign), written.digits[0], ...decimal]);
  if (expressions) ['+(', '-)', '*^', '/'].forEach((operators, at) => rows[at].push(...operators));
  const dialog = part('keypad', make('dialog', { role: 'dialog', ariaLabel: control.say('keypad', { name: control.label }) }),
    part('keypad-head', make('div'),
      part('keypad-name', make('h2', { textContent: control.label })),
      part('keypad-now', make('p', { textContent: [control.say('present', { value: withUnit(control, control.unset ? '–' : control.shownText) }), rangeOf(control)].filter(Boolean).join(' · ') })),
      part('keypad-line', make('div'), part('keypad-entry', make('div'), shown, part('keypad-unit', make('span', { textContent: control.unit }))),
        ...(mayBeUnset ? [word('clear', () => write(''), 'C')] : []), word('backspace', erase, '⌫')),
      row(word('cancel', () => close(false)), word('ok', () => close(true)))),
    part('keys', make('div'), ...rows.map((marks) => row(...marks.map(type)))));
  dialog.addEventListener('cancel', () => field.revert());
  dialog.addEventListener('close', () => {
    dialog.remove();
    input.focus();
    field.keypad = undefined;
  });
  // A tap that closes it is no click of what is below.
  listen(dialog, 'touchend', (event) => event.cancelable && event.preventDefault());
  const accepted = [...written.digits, ...decimal, ...sign, ...(expressions ? '+-*/^()' : '')];
  // A keyboard that is there after all. Its point is the mark of the language.
  const typed = ({ code, key: mark }) => (code === 'NumpadDecimal' ? decimal[0] : /^[0-9]$/.test(mark) ? written.digits[mark] : { '−': '-', '×': '*' }[mark] ?? mark);
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const mark = typed(event);
    if (event.key === 'Backspace') erase();
    else if (accepted.includes(mark) && mayType(control, mark)) write(text + mark);
    else if (event.key !== 'Enter' || event.composedPath()[0].part?.contains('key-cancel')) return;
    else close(true);
    event.preventDefault();
  });
  field.keypad = dialog;
  shadow.adoptedStyleSheets = [...control.view.styles, style];
  shadow.append(dialog);
  show();
  dialog.showModal();
  // Its first key would look chosen; digits of a keyboard arrive all the same.
  dialog.querySelector('[part~=key-ok]').focus({ focusVisible: false });
}

const withUnit = ({ unit }, text) => [text, unit].filter(Boolean).join('\u00a0');

function rangeOf(control) {
  const { numbers, description: { minimum, maximum, digits = 0 } } = control;
  // An end may have more digits than the steps.
  const write = (end) => numbers.format(end.toFixed(Math.max(digits, (String(end).split('.')[1] ?? '').length)));
  if (minimum !== undefined && maximum !== undefined) return control.say('range', { minimum: write(minimum), maximum: withUnit(control, write(maximum)) });
  if (minimum !== undefined) return control.say('from', { minimum: withUnit(control, write(minimum)) });
  return maximum === undefined ? '' : control.say('upTo', { maximum: withUnit(control, write(maximum)) });
}
