/**
 * In the bundle, in the place of stepper/files.js: Scripts/build/panel says how the worker's file is called, whose name has the hash
 * of its content, and writes the module that has the style sheets, but for that of older browsers.
 */
/* global WORKER */
import de from '../strings/de.json';
import en from '../strings/en.json';
import * as styles from '../styles.js';

export const home = new URL('..', import.meta.url);
export const worker = new URL(WORKER, import.meta.url);
const languages = { de, en };

export async function rules(name) {
  if (name in styles) return styles[name];
  const answer = await fetch(new URL(`${name}.css`, home));
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return answer.text();
}

export const words = async (language) => languages[language];
