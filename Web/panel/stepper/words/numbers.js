/** Values as people of a language write and say them, from the exact decimal of the state's text. */
import { plain } from './plain.js';

const kept = new Map(), formats = new Map();
const DECIMAL = /^-?\d+(\.\d+)?$/;

export function numbersOf(description, language) {
  const { format, unit } = description;
  const key = `${language}|${unit}|${JSON.stringify(format)}`;
  if (!kept.has(key)) kept.set(key, new Numbers(format ?? {}, unit, language));
  return kept.get(key);
}

/** One for all that write alike: it takes a browser as long as drawing a control. */
export function intl(language, options) {
  const key = `${language}|${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, made(language, options));
  return formats.get(key);
}

/** Makes the one of bare digits when there is nothing else to do: the first one takes a browser longest. */
export const prepareNumbers = (language) => setTimeout(intl, 0, language, { useGrouping: false });

/** Intl throws for a language or currency that is none. */
function made(language, options) {
  try {
    return new Intl.NumberFormat(language, options);
  } catch {
    return new Intl.NumberFormat('en', { ...options, style: 'decimal' });
  }
}

class Numbers {
  #formats = new Map();

  constructor({ style, currency, grouping, significantDigits }, unit, language) {
    const known = ['percent', 'currency'].includes(style) ? style : 'decimal';
    Object.assign(this, { language, style: known, currency, grouping: grouping === true, significantDigits });
    const sign = (currencyDisplay) => this.#intl(language, 0, { currencyDisplay }).formatToParts(1).find(({ type }) => type === 'currency')?.value;
    /** What may stand beside a number of this style: as it is written, and otherwise. */
    this.symbols = known === 'percent' ? ['%'] : known === 'currency' ? ['symbol', 'narrowSymbol', 'code'].map(sign).filter(Boolean) : [];
    [this.symbol = ''] = this.symbols;
    /** The unit, unless the style writes the same anyway. */
    this.unit = unit && unit !== this.symbol && unit !== currency ? unit : '';
  }

  /** Those of the language. */
  get digits() {
    const { language } = this, all = '9876543210';
    return [...(plain(all, { language }) ?? intl(language, { useGrouping: false }).format(all))];
  }

  #intl(language, places, more) {
    const { style, currency = 'XXX', grouping, significantDigits } = this;
    return intl(language, {
      style, useGrouping: grouping ? 'always' : false, ...(style === 'currency' ? { currency } : {}), ...(significantDigits
        ? { maximumSignificantDigits: Math.min(21, significantDigits), roundingMode: 'halfEven' }
        : { minimumFractionDigits: places, maximumFractionDigits: places }), ...more,
    });
  }

  #write(text, language, more) {
    if (!DECIMAL.test(text)) return text;
    const short = plain(text, { ...this, language });
    if (short !== undefined) return short;
    const fraction = (text.split('.')[1] ?? '').length;
    const places = Math.min(100, Math.max(0, this.style === 'percent' ? fraction - 2 : fraction));
    const key = `${places}${more ? 'said' : ''}`;
    if (!this.#formats.has(key)) this.#formats.set(key, this.#intl(language, places, more));
    return this.#formats.get(key).format(text);
  }

  /** With the marks and the symbol of the language, without the unit: `1.234,50 €`. */
  format(text) { return this.#write(text, this.language); }

  /** As a reader says it: in English the daemon's words (13 percent, 30 dB), else as it is written, with its no-break spaces. */
  speak(text) {
    const unit = this.unit && ` ${this.unit}`;
    if (!/^en\b/i.test(this.language) || !DECIMAL.test(text)) return this.format(text) + unit;
    const { style, currency } = this;
    const number = this.#write(text, 'en', { useGrouping: false, ...(style === 'currency' ? { style: 'decimal' } : {}) });
    return style === 'percent' ? number.replace('%', ' percent') : number + (style === 'currency' ? ` ${currency ?? ''}` : unit);
  }
}
