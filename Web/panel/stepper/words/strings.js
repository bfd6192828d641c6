/** The panel's own words: strings/LANGUAGE.json, which a page may add to or replace. */
import { words as load } from '../files.js';

const SHIPPED = ['en', 'de'];
const tables = {}, loads = {};

/** `addStrings('fr', {offline: 'hors ligne'})` */
export function addStrings(language, words) {
  const key = language.toLowerCase();
  tables[key] = { ...tables[key], ...words };
}

/** Kept when the words of a tag are there, if they are shipped. */
export function loadStrings(tag) {
  const language = tag.toLowerCase().split('-')[0];
  if (SHIPPED.includes(language)) {
    loads[language] ??= load(language)
      .then((words) => addStrings(language, { ...words, ...tables[language] })).catch(() => { delete loads[language]; });
  }
  return loads[language];
}

/** The words for a key, with `{name}` and the like filled in; the key where there are none. */
export function say(tag, key, values = {}) {
  const words = [tag.toLowerCase(), tag.toLowerCase().split('-')[0], 'en'].map((part) => tables[part]?.[key]).find(Boolean) ?? key;
  return words.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Of `{de: "…"}` the entry for the longest part of a tag: of "de-AT" that, else of "de". */
export function translated(translations, tag) {
  for (let part = tag.toLowerCase(); part; part = part.replace(/-?[^-]*$/, '')) {
    const key = Object.keys(translations ?? {}).find((one) => one.toLowerCase() === part);
    if (key) return translations[key];
  }
  return undefined;
}
