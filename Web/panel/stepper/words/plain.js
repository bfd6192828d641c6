/** Numbers as Intl writes them, without it: the first format takes a browser longer than drawing a panel. */

/** The mark before the decimals, and what follows a percentage. */
const POINT = ['.', '%'], COMMA = [',', '\u00a0%'];
const MARKS = { en: POINT, 'en-GB': POINT, 'en-US': POINT, de: COMMA, 'de-DE': COMMA };

/** @param text of digits, perhaps with a sign and decimals; undefined: in this language or style, or so long, it is for Intl */
export function plain(text, { language, style, grouping, significantDigits = 0 }) {
  if (!(language in MARKS) || grouping || style === 'currency') return undefined;
  const [mark, percent] = MARKS[language], [, sign, first, rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const moved = style === 'percent' ? 2 : 0, digits = first + rest.padEnd(moved, '0'), end = first.length + moved;
  const whole = digits.slice(0, end).replace(/^0+(?=\d)/, '');
  let fraction = digits.slice(end);
  if (significantDigits) {
    if (digits.replace(/^0+/, '').length > significantDigits) return undefined;
    fraction = fraction.replace(/0+$/, '');
  }
  return sign + whole + (fraction && mark + fraction) + (moved ? percent : '');
}
