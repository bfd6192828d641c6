/** The digits and marks with which people of a language write numbers, and the one form in which all of them are read. */
import { intl } from './numbers.js';

const kept = new WeakMap();
const HAN = '〇一二三四五六七八九';
/** What keyboards, input methods and other programs write for a mark. The long vowel is Japanese for a minus. */
const SAME = Object.fromEntries(Object.entries({
  '-': '‐‑‒–—―−﹣ー', '+': '﹢', '%': '٪﹪', '*': '×∗', '/': '÷⁄∕', "'": '’', '.': '。｡', 0: '零',
}).flatMap(([mark, others]) => [...others].map((other) => [other, mark])));

/** @returns {{digits: string[], decimal: string, group: string}} the digits from 0 on; a group of '' is none */
export function marksOf(numbers) {
  if (!kept.has(numbers)) kept.set(numbers, [marks(numbers), marks(numbers, 'latn')]);
  return kept.get(numbers)[0];
}

/** In the language's own digits, and in Latin ones where those have other marks: `٤٢٫٥` and `42.5`. */
export function manners(numbers) {
  const { decimal, group } = marksOf(numbers), [own, latin] = kept.get(numbers);
  return decimal === latin.decimal && group === latin.group ? [own] : [own, latin];
}

function marks({ language, style, currency }, numberingSystem) {
  const more = style === 'currency' ? { style, currency: currency ?? 'XXX' } : { style };
  const format = intl(language, { ...more, numberingSystem, useGrouping: 'always', minimumFractionDigits: 1 });
  const parts = format.formatToParts(-123456789012.5), mark = (type) => parts.find((part) => part.type === type)?.value;
  const whole = { numberingSystem, useGrouping: 'always', maximumFractionDigits: 0 };
  return {
    digits: [...intl(language, { numberingSystem, useGrouping: false }).format(9876543210)].reverse(),
    decimal: even(mark('decimal') ?? '.'), group: even(mark('group') ?? ''),
    /** Some languages group percentages and money otherwise than numbers. */
    groupings: [intl(language, { ...whole, ...more }), intl(language, whole)],
  };
}

/** A text in Latin digits and plain marks, without the invisible ones; decimal and grouping marks stay. */
export function even(text) {
  return /^[!-~]*$/.test(text) ? text : [...text.replace(/\p{Cf}/gu, '')].map(plain).join('');
}

function plain(mark) {
  const code = mark.codePointAt(0);
  if (code >= 0xff01 && code <= 0xff5e) return plain(String.fromCodePoint(code - 0xfee0));
  if (SAME[mark] || HAN.includes(mark)) return SAME[mark] ?? String(HAN.indexOf(mark));
  if (/\s/.test(mark)) return ' ';
  if (!/\p{Nd}/u.test(mark)) return mark;
  // The digits of every script are ten in a row, from zero on.
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}
