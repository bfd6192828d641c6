/**
 * Values as people of a language write and read them, by the rules of the client library's ValueFormatter: it works
 * on the exact decimal of the state's text, and refuses what is unclear (`1.5` where the point groups).
 */

const cache = new Map();

/** @returns {Numbers} for a description and a language tag; kept */
export function numbersOf(description, language) {
  const { format = {}, unit, expressions } = description;
  const key = JSON.stringify([language, format, unit, expressions]);
  if (!cache.has(key)) cache.set(key, new Numbers(description, language));
  return cache.get(key);
}

const OPERATORS = { '+': '+', '-': '-', '−': '-', '*': '*', '×': '*', '/': '/', '^': '^', '(': '(', ')': ')' };
const DECIMAL = /^-?\d+(\.\d+)?$/;
const APOSTROPHES = "'’";

/** A constructor of Intl throws for a language or currency that is none. */
function intl(language, options) {
  for (const tag of [language, 'en']) {
    try {
      return new Intl.NumberFormat(tag, options);
    } catch { /* the next */ }
  }
  return new Intl.NumberFormat('en', { ...options, style: 'decimal' });
}

class Numbers {
  #formats = new Map();

  constructor({ format = {}, unit, expressions }, language) {
    this.language = language;
    this.style = ['percent', 'currency'].includes(format.style) ? format.style : 'decimal';
    this.currency = format.currency;
    this.significant = format.significantDigits;
    this.grouping = format.grouping === true;
    this.expressions = expressions === true;
    const parts = intl(language, this.#options(1, true)).formatToParts(-123456789012.5);
    const part = (type) => parts.find((one) => one.type === type)?.value;
    this.decimal = part('decimal') ?? '.';
    this.group = part('group');
    this.symbol = part('currency') ?? (this.style === 'percent' ? '%' : undefined);
    const digits = [...intl(language, { useGrouping: false }).format(9876543210)].reverse();
    this.digits = new Map(digits.map((digit, index) => [digit, String(index)]));
    /** The unit, unless the style writes the same anyway. */
    this.unit = unit && unit !== this.symbol && unit !== this.currency ? unit : '';
  }

  #options(places, grouping = this.grouping) {
    return {
      style: this.style, ...(this.style === 'currency' ? { currency: this.currency ?? 'XXX' } : {}),
      useGrouping: grouping ? 'always' : false, minimumFractionDigits: places, maximumFractionDigits: places,
    };
  }

  /** The text of a state (C locale) with the marks and symbol of the language, without the unit. */
  format(text) {
    if (!DECIMAL.test(text)) return text;
    const fraction = text.split('.')[1]?.length ?? 0;
    const places = Math.min(100, Math.max(0, fraction - (this.style === 'percent' ? 2 : 0)));
    if (!this.#formats.has(places)) {
      const options = this.significant
        ? { ...this.#options(), minimumFractionDigits: undefined, maximumFractionDigits: undefined,
          maximumSignificantDigits: Math.min(21, this.significant), roundingMode: 'halfEven' }
        : this.#options(places);
      this.#formats.set(places, intl(this.language, options));
    }
    return this.#formats.get(places).format(text);
  }

  /** What a reader says: in English the daemon's own words (13 percent, 30 dB), else the language's writing. */
  speak(text) {
    const unit = this.unit ? ` ${this.unit}` : '';
    const word = { percent: ' percent', currency: ` ${this.currency ?? ''}` }[this.style] ?? unit;
    if (!/^en\b/i.test(this.language) || !DECIMAL.test(text)) return this.format(text).replace(/\s/g, ' ') + unit;
    const bare = intl('en', {
      useGrouping: false, style: 'decimal',
      ...(this.significant ? { maximumSignificantDigits: Math.min(21, this.significant), roundingMode: 'halfEven' }
        : { minimumFractionDigits: (text.split('.')[1] ?? '').length, maximumFractionDigits: 100 }),
    });
    return (this.style === 'percent' ? this.#plainPercent(text) : bare.format(text)) + word;
  }

  #plainPercent(text) {
    const places = Math.max(0, (text.split('.')[1]?.length ?? 0) - 2);
    const options = this.significant
      ? { maximumSignificantDigits: Math.min(21, this.significant), roundingMode: 'halfEven' }
      : { minimumFractionDigits: places, maximumFractionDigits: places };
    return intl('en', { style: 'percent', useGrouping: false, ...options }).format(text).replace('%', '');
  }

  /** The C-locale text for `set`, '' for unset; undefined if it is unclear. */
  parse(text) {
    const trimmed = this.#ascii(text).trim();
    if (!trimmed) return '';
    const number = this.#number(trimmed);
    if (number !== undefined) return this.style === 'percent' ? movePoint(number, -2) : number;
    return this.expressions ? this.#expression(trimmed) : undefined;
  }

  #ascii(text) { return text.replace(/./gu, (mark) => this.digits.get(mark) ?? mark).replace(/[\u200e\u200f\u061c]/g, ''); }

  #number(text) {
    let [sign, rest] = takeSign(this.#withoutUnit(text));
    rest = this.#withoutSymbol(rest);
    if (!sign) [sign, rest] = takeSign(rest);
    return this.#plain(rest, sign === '-');
  }

  #plain(text, negative = false) {
    const [first, fraction, ...more] = text.split(this.decimal);
    const whole = this.grouping ? this.#ungrouped(first) : first;
    if (more.length || whole === undefined || fraction === '' || !/^\d*$/.test(whole + (fraction ?? ''))) return undefined;
    if (!whole && !fraction) return undefined;
    return `${negative ? '-' : ''}${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction ? `.${fraction}` : ''}`;
  }

  /** Marks count where they are written and only where the language puts them. */
  #ungrouped(text) {
    const same = (mark) => mark === this.group || (/\s/.test(this.group) && /\s/.test(mark))
      || (APOSTROPHES.includes(this.group) && APOSTROPHES.includes(mark));
    const marks = [...text];
    if (!this.group || !marks.some(same)) return text;
    const digits = marks.filter((mark) => !same(mark)).join('');
    if (!/^[1-9]\d*$/.test(digits)) return undefined;
    const written = marks.map((mark) => (same(mark) ? ',' : mark)).join('');
    const expected = intl(this.language, { useGrouping: 'always', numberingSystem: 'latn', maximumFractionDigits: 0 })
      .formatToParts(digits).map((part) => (part.type === 'group' ? ',' : part.value)).join('');
    return written === expected ? digits : undefined;
  }

  #withoutUnit(text) {
    if (!this.unit || !text.endsWith(this.unit.trim())) return text;
    const rest = text.slice(0, -this.unit.trim().length);
    const ambiguous = /^\d/.test(this.unit.trim()) || [this.decimal, this.group].includes(this.unit.trim()[0]);
    return ambiguous && !/\s$/.test(rest) ? text : rest.trim();
  }

  #withoutSymbol(text) {
    for (const symbol of [this.symbol, this.style === 'percent' ? '%' : this.currency]) {
      if (!symbol || this.style === 'decimal') continue;
      const [lower, mark] = [text.toLowerCase(), symbol.toLowerCase()];
      if (lower.startsWith(mark)) return text.slice(mark.length).trim();
      if (lower.endsWith(mark)) return text.slice(0, -mark.length).trim();
    }
    return text;
  }

  /** Numbers and operators in turn; the daemon has the grammar. The result of percentages is a percentage. */
  #expression(text) {
    const rest = this.#withoutUnit(text);
    let count = 0;
    const parts = (this.style === 'percent' ? this.#withoutSymbol(rest) : rest).split(/([-+−*×/^()])/).map((part) => {
      if (OPERATORS[part]) return OPERATORS[part];
      if (!part.trim()) return '';
      count += 1;
      return this.#plain(this.style === 'currency' ? this.#withoutSymbol(part.trim()) : part.trim());
    });
    if (parts.includes(undefined) || count < 2) return undefined;
    return this.style === 'percent' ? `(${parts.join('')})/100` : parts.join('');
  }
}

function takeSign(text) {
  const sign = { '-': '-', '−': '-', '+': '+' }[text[0]];
  return sign ? [sign, text.slice(1).trim()] : [undefined, text];
}

/** Multiplies a decimal by a power of ten by moving its point, which loses nothing. */
function movePoint(text, places) {
  const negative = text.startsWith('-');
  const [whole, fraction = ''] = text.replace('-', '').split('.');
  const digits = '0'.repeat(-places) + whole + fraction;
  const point = whole.length;
  const moved = `${digits.slice(0, point).replace(/^0+(?=\d)/, '')}.${digits.slice(point)}`;
  return (negative ? '-' : '') + moved.replace(/\.$/, '');
}
