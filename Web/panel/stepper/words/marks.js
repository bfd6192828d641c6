/** The digits and marks with which people of a language write numbers. */
import { intl } from './numbers.js';

const kept = new WeakMap();

/** @returns {{digits: string[], decimal: string, group: string}} the digits from 0 on; a group of '' is none */
export function marksOf(numbers) {
  if (!kept.has(numbers)) {
    const mark = (type) => numbers.parts.find((part) => part.type === type)?.value;
    const digits = [...intl(numbers.language, { useGrouping: false }).format(9876543210)].reverse();
    kept.set(numbers, { digits, decimal: mark('decimal') ?? '.', group: mark('group') ?? '' });
  }
  return kept.get(numbers);
}
