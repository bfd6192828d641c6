/**
 * What people write, by the rules of the client library's ValueFormatter: marks count only where the language puts
 * them, and what is unclear (`1.5` where the point groups) is refused. Tests/Conformance has the cases.
 */
import { even, manners } from './marks.js';

const OPERATORS = /([-+*/^()])/;

/** @returns {string|undefined} the C-locale text or expression for `set`, '' for unset; undefined: unclear */
export function read(numbers, text, expressions) {
  const plain = even(text).trim();
  if (!plain) return '';
  const ways = new Set(manners(numbers).map((marks) => signed(numbers, plain, marks, expressions)).filter(Boolean));
  if (expressions && !ways.size) manners(numbers).forEach((marks) => ways.add(expression(numbers, plain, marks)));
  ways.delete(undefined);
  return ways.size === 1 ? [...ways][0] : undefined;
}

/** Parentheses around money and a sign after a number are an accountant's minus, and parts of a sum where sums may be written. */
function signed(numbers, text, marks, expressions) {
  const { style } = numbers, accounting = style === 'currency' && !expressions && /^\((.*)\)$/.exec(text);
  let [sign, rest] = takeSign(withoutUnit(numbers, accounting ? accounting[1].trim() : text, marks), !expressions);
  rest = withoutSymbol(numbers, rest);
  if (!sign) [sign, rest] = takeSign(rest, !expressions);
  const digits = accounting && sign ? undefined : unsigned(numbers, rest, marks);
  if (digits === undefined) return undefined;
  const number = accounting || sign === '-' ? `-${digits}` : digits;
  return style === 'percent' ? hundredth(number) : number;
}

function takeSign(text, mayFollow) {
  if (/^[-+]/.test(text)) return [text[0], text.slice(1).trim()];
  return mayFollow && /.[-+]$/.test(text) ? [text.at(-1), text.slice(0, -1).trim()] : [undefined, text];
}

/** The Arabic marks mean the same in every language. */
function unsigned(numbers, text, marks) {
  const { decimal, group } = marks;
  const [first, fraction = '', ...more] = text.replaceAll('٫', decimal).replaceAll('٬', group || '٬').split(decimal);
  const whole = numbers.grouping ? ungrouped(first, marks) : first;
  if (more.length || whole === undefined || !/^\d+$/.test(whole + fraction)) return undefined;
  return (whole.replace(/^0+(?=\d)/, '') || '0') + (fraction ? `.${fraction}` : '');
}

function ungrouped(text, { group, groupings }) {
  if (!group || !text.includes(group)) return text;
  const digits = text.replaceAll(group, '');
  if (!/^[1-9]\d*$/.test(digits)) return undefined;
  const written = ({ style }) => (style === 'percent' ? `${digits}e-2` : digits);
  return groupings.some((format) => text === format.formatToParts(written(format.resolvedOptions()))
    .map(({ type, value }) => ({ integer: even(value), group })[type] ?? '').join('')) ? digits : undefined;
}

/** A unit that begins with a digit or a mark requires a space before it. */
function withoutUnit(numbers, text, { decimal, group }) {
  const bare = even(numbers.unit).trim();
  if (!bare || !text.endsWith(bare)) return text;
  const rest = text.slice(0, -bare.length);
  return (/^\d/.test(bare) || [decimal, group].includes(bare[0])) && !/\s$/.test(rest) ? text : rest.trim();
}

function withoutSymbol({ symbols }, text) {
  const lower = text.toLowerCase();
  for (const mark of symbols.map((symbol) => even(symbol).trim().toLowerCase())) {
    if (lower.startsWith(mark)) return text.slice(mark.length).trim();
    if (lower.endsWith(mark)) return text.slice(0, -mark.length).trim();
  }
  return text;
}

/** Numbers and operators in turn; the daemon has the grammar. The result of percentages is a percentage. */
function expression(numbers, text, marks) {
  const { style } = numbers, rest = withoutUnit(numbers, text, marks);
  let count = 0;
  const parts = (style === 'percent' ? withoutSymbol(numbers, rest) : rest).split(OPERATORS).map((part) => {
    if (OPERATORS.test(part)) return part;
    if (!part.trim()) return '';
    count += 1;
    return unsigned(numbers, style === 'currency' ? withoutSymbol(numbers, part.trim()) : part.trim(), marks);
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

/** Whether a control that takes nothing but numbers lets these characters through. */
export function mayType({ description, numbers }, text) {
  const { numeric, digits, minimum, expressions } = description, { grouping, symbols, unit, style } = numbers;
  if (!numeric) return true;
  const all = manners(numbers), marks = [
    '0123456789', ...(digits === 0 ? [] : ['٫', ...all.map(({ decimal }) => decimal)]),
    ...(grouping ? ['٬', ...all.map(({ group }) => group)] : []), minimum >= 0 ? '' : style === 'currency' ? '-+()' : '-+',
    expressions ? '+-*/^() ' : '', ...[...symbols, unit].map(even), symbols.length || unit ? ' ' : '',
  ].join('');
  return [...even(text)].every((mark) => marks.includes(mark));
}
