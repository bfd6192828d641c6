/**
 * What people write, by the rules of the client library's ValueFormatter: marks count only where the language puts
 * them, and what is unclear (`1.5` where the point groups) is refused.
 */
import { marksOf } from './marks.js';
import { intl } from './numbers.js';

const OPERATORS = /([-+−*×/^()])/;

/** @returns {string|undefined} the C-locale text or expression for `set`, '' for unset; undefined: unclear */
export function read(numbers, text, expressions) {
  const { style } = numbers, { digits } = marksOf(numbers);
  const plain = text.replace(/./gu, (mark) => (digits.includes(mark) ? digits.indexOf(mark) : mark))
    .replace(/[\u200e\u200f\u061c]/g, '').trim();
  if (!plain) return '';
  const number = withSign(numbers, plain);
  if (number !== undefined) return style === 'percent' ? hundredth(number) : number;
  return expressions ? expression(numbers, plain) : undefined;
}

function withSign(numbers, text) {
  let [sign, rest] = takeSign(withoutUnit(numbers, text));
  rest = withoutSymbol(numbers, rest);
  if (!sign) [sign, rest] = takeSign(rest);
  const digits = unsigned(numbers, rest);
  return digits !== undefined && sign === '-' ? `-${digits}` : digits;
}

function takeSign(text) {
  const sign = { '-': '-', '−': '-', '+': '+' }[text[0]];
  return sign ? [sign, text.slice(1).trim()] : [undefined, text];
}

function unsigned(numbers, text) {
  const [first, fraction, ...more] = text.split(marksOf(numbers).decimal);
  const whole = numbers.grouping ? ungrouped(numbers, first) : first;
  if (more.length || whole === undefined || fraction === '' || !/^\d+$/.test(whole + (fraction ?? ''))) return undefined;
  return (whole.replace(/^0+(?=\d)/, '') || '0') + (fraction ? `.${fraction}` : '');
}

/** Spaces of any width are one mark, and so are straight and curved apostrophes. */
function ungrouped(numbers, text) {
  const { language } = numbers, { group } = marksOf(numbers);
  const even = (mark) => mark.replace(/\s/g, ' ').replaceAll('’', "'");
  const mark = even(group);
  if (!group || !even(text).includes(mark)) return text;
  const digits = even(text).replaceAll(mark, '');
  if (!/^[1-9]\d*$/.test(digits)) return undefined;
  const parts = intl(language, { useGrouping: 'always', numberingSystem: 'latn' }).formatToParts(digits);
  return even(text) === parts.map(({ type, value }) => (type === 'group' ? mark : value)).join('') ? digits : undefined;
}

/** A unit that begins with a digit or a mark requires a space before it. */
function withoutUnit(numbers, text) {
  const bare = numbers.unit.trim(), { decimal, group } = marksOf(numbers);
  if (!bare || !text.endsWith(bare)) return text;
  const rest = text.slice(0, -bare.length);
  return (/^\d/.test(bare) || [decimal, group].includes(bare[0])) && !/\s$/.test(rest) ? text : rest.trim();
}

function withoutSymbol({ symbol, style, currency }, text) {
  const lower = text.toLowerCase();
  for (const mark of [symbol, style === 'currency' && currency]) {
    if (!mark) continue;
    if (lower.startsWith(mark.toLowerCase())) return text.slice(mark.length).trim();
    if (lower.endsWith(mark.toLowerCase())) return text.slice(0, -mark.length).trim();
  }
  return text;
}

/** Numbers and operators in turn; the daemon has the grammar. The result of percentages is a percentage. */
function expression(numbers, text) {
  const { style } = numbers, rest = withoutUnit(numbers, text);
  let count = 0;
  const parts = (style === 'percent' ? withoutSymbol(numbers, rest) : rest).split(OPERATORS).map((part) => {
    if (OPERATORS.test(part)) return part.replace('−', '-').replace('×', '*');
    if (!part.trim()) return '';
    count += 1;
    return unsigned(numbers, style === 'currency' ? withoutSymbol(numbers, part.trim()) : part.trim());
  });
  if (parts.includes(undefined) || count < 2) return undefined;
  return style === 'percent' ? `(${parts.join('')})/100` : parts.join('');
}

/** By moving the point, which loses nothing. */
function hundredth(text) {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(text);
  const digits = whole.padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}${fraction}`;
}

/** A value within the range, with the digits that the control has. */
export function exampleOf(numbers, { minimum = -Infinity, maximum = Infinity, digits = 1 }) {
  const value = [1234.5, 12.5, 0.5].find((one) => one >= minimum && one <= maximum) ?? 0;
  return numbers.format(digits ? value.toFixed(Math.min(9, digits)) : String(Math.trunc(value)));
}
