/** The widest texts that a control can show: room is kept for them, so that its buttons stay while its value changes. */

/** Of a control without an end; more are kept when its value has as many. */
const OPEN_DIGITS = 4;
/** So many choices are measured, the longest ones. */
const MOST_CHOICES = 64;

/** @returns {{numbers: string[], words: string[]}} numbers stay in one line, words may be wrapped */
export function widestTexts(control) {
  const { kind, choices, description, state, numbers } = control;
  if (kind === 'toggle') return { numbers: [], words: [control.say('on'), control.say('off')] };
  if (kind === 'choice') {
    const words = choices.length > MOST_CHOICES ? [...choices].sort((a, b) => b.length - a.length).slice(0, MOST_CHOICES) : choices;
    return { numbers: [], words };
  }
  if (kind === 'button') return { numbers: [], words: [] };
  const { minimum, maximum, step } = description;
  const digits = description.digits ?? Math.max(...[state.text, minimum, maximum, step].map(placesOf));
  const write = (number) => numbers.format(Number.isFinite(number) ? number.toFixed(Math.min(digits, 100)) : '0');
  const open = (sign) => sign * (10 ** wholeDigits(state.value ?? 0) - 1);
  const ends = [minimum ?? open(-1), maximum ?? open(1)];
  const { digits: numerals } = numbers, written = ends.map(write);
  const longest = Math.max(...written.map(({ length }) => length));
  // Not every font has digits of one width, and those of the ends need not be its widest.
  const alike = written.filter(({ length }) => length === longest).flatMap((text) => numerals.map((digit) => [...text].map((mark) => (numerals.includes(mark) ? digit : mark)).join('')));
  return { numbers: [...new Set([...written, ...alike, ...rounded(numbers, ends, digits)])], words: [] };
}

/** The decimal places of a number, or of a text of it. */
function placesOf(number) {
  const [mantissa, exponent = 0] = String(number ?? 0).split('e');
  return Math.max(0, (mantissa.split('.')[1] ?? '').length - exponent);
}

/** The digits that are kept for a value without an end: two more than it has once it has as many as are kept. */
function wholeDigits(value) {
  const count = Math.trunc(Math.abs(value)).toString().length;
  return count < OPEN_DIGITS ? OPEN_DIGITS : count + 2;
}

/** Where only some digits count, what lies between the ends may be longer than they are. */
function rounded(numbers, ends, digits) {
  const { significantDigits } = numbers;
  if (!significantDigits) return [];
  const sign = ends[0] < 0 ? '-' : '', most = Math.trunc(Math.max(...ends.map(Math.abs))).toString().length;
  const leading = '0'.repeat(Math.max(0, digits - significantDigits));
  const texts = [`${sign}0.${leading}${'8'.repeat(Math.min(digits, significantDigits))}`];
  for (let whole = 1; whole < most; whole += 1) texts.push(`${sign}${'8'.repeat(whole)}.${'8'.repeat(digits)}`);
  return texts.map((text) => numbers.format(text.replace(/\.$/, '')));
}
