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

export const rules = async (name) => styles[name] ?? (await fetch(new URL(`${name}.css`, home))).text();
export const words = async (language) => languages[language];
