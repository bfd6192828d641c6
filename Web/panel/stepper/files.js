/**
 * Where the panel's files are. In the bundle, which has most of them in one, Scripts/build/panel puts another module in the
 * place of this one.
 */

/** The folder of the panel, which has the interface beside it. */
export const home = new URL('..', import.meta.url);
export const worker = new URL('link/worker.js', import.meta.url);

/** Milliseconds. */
const LIMIT = 10_000;

async function load(path) {
  const answer = await fetch(new URL(path, home), { signal: AbortSignal.timeout(LIMIT) });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return answer;
}

/** Of a style sheet: "looks", "styles/base". */
export const rules = (name) => load(`${name}.css`).then((answer) => answer.text());

/** Of a language that is shipped. */
export const words = (language) => load(`strings/${language}.json`).then((answer) => answer.json());
