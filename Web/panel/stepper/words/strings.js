/** The panel's own words by language: strings/LANGUAGE.json. A page may add or replace some with `addStrings`. */

const SHIPPED = ['en', 'de'];
const tables = {};
const loads = {};
const base = new URL('../../strings/', import.meta.url);

/** Replaces words of a language, for example `addStrings('fr', {offline: 'hors ligne'})`. */
export function addStrings(language, words) {
  tables[language] = { ...tables[language], ...words };
}

/** Resolves when the words of a language tag are there. English is the fallback and is loaded with the module. */
export function loadStrings(tag) {
  const language = String(tag).toLowerCase().split('-')[0];
  if (!SHIPPED.includes(language)) return undefined;
  return loads[language] ??= fetch(new URL(`${language}.json`, base)).then((answer) => answer.json()).then(
    (words) => { tables[language] = { ...words, ...tables[language] }; }, () => { delete loads[language]; });
}

/** The words for a key in a language, with `{name}` and others filled in; the key if there are none. */
export function say(tag, key, values = {}) {
  const lower = String(tag).toLowerCase();
  const words = tables[lower]?.[key] ?? tables[lower.split('-')[0]]?.[key] ?? tables.en?.[key] ?? key;
  return words.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** The translation of the longest part of a tag that there is: of "de-AT" that, else of "de"; tags of any case. */
export function translated(translations, tag) {
  const titles = Object.fromEntries(Object.entries(translations ?? {}).map(([key, title]) => [key.toLowerCase(), title]));
  for (let part = String(tag).toLowerCase(); part; part = part.slice(0, Math.max(0, part.lastIndexOf('-')))) {
    if (Object.hasOwn(titles, part)) return titles[part];
  }
  return undefined;
}
