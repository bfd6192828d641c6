/**
 * In the bundle, in the place of stepper/files.js: Scripts/build/panel says how the files are called, whose names have the hash
 * of their content. All style sheets are in that of the page, each in a line of its own, for a medium that no browser has.
 */
/* global WORKER, STYLES */
import de from '../strings/de.json';
import en from '../strings/en.json';

export const home = new URL('..', import.meta.url);
export const worker = new URL(WORKER, import.meta.url);

/** Milliseconds. */
const LIMIT = 10_000;
const languages = { de, en };
let sheets;

async function load() {
  const answer = await fetch(new URL(STYLES, import.meta.url), { signal: AbortSignal.timeout(LIMIT) });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  const lines = (await answer.text()).matchAll(/^@media stepper-([\w-]+)\{(.*)\}$/gm);
  return Object.fromEntries([...lines].map(([, name, text]) => [name, text]));
}

export async function rules(name) {
  sheets ??= load();
  sheets.catch(() => { sheets = undefined; });
  return (await sheets)[name.split('/').pop()];
}

export const words = async (language) => languages[language];
