/**
 * Style sheets as constructed sheets: fetched once for a document and shared by
 * every shadow root. An import of CSS as a module is not in every browser of
 * the baseline; a link in each root would flash and cost a sheet for each.
 */

const loaded = new Map();
const FETCH_LIMIT = 3000;

/** Both arms of light-dark() for browsers that lack it: the dark ones under a media query. */
function withoutLightDark(css) {
  const arm = (dark) => {
    let text = css;
    for (let at = text.indexOf('light-dark('); at >= 0; at = text.indexOf('light-dark(', at)) {
      let depth = 0;
      let comma = 0;
      let end = at + 10;
      do {
        const sign = text[end];
        if (sign === '(') depth += 1;
        if (sign === ')') depth -= 1;
        if (sign === ',' && depth === 1) comma = end;
        end += 1;
      } while (depth > 0);
      const value = dark ? text.slice(comma + 1, end - 1) : text.slice(at + 11, comma);
      text = text.slice(0, at) + value + text.slice(end);
    }
    return text;
  };
  return `${arm(false)}@media (prefers-color-scheme:dark){${arm(true)}}`;
}

/**
 * @param {string|URL} url of a style sheet
 * @returns {CSSStyleSheet} at once; it is filled when the answer is there
 */
export function sheet(url) {
  const address = String(url);
  if (!loaded.has(address)) {
    const made = new CSSStyleSheet();
    const filled = fetch(address, { signal: AbortSignal.timeout?.(FETCH_LIMIT) })
      .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(String(answer.status)))))
      .then((css) => made.replaceSync(
        CSS.supports('color', 'light-dark(#000,#fff)') ? css : withoutLightDark(css)))
      .catch((problem) => console.error(`stepper.js: no style sheet ${address}: ${problem.message}`));
    loaded.set(address, { made, filled });
  }
  return loaded.get(address).made;
}

/** @returns {Promise<void>} settled when every sheet that was asked for is filled or has failed */
export async function sheetsFilled() {
  await Promise.all([...loaded.values()].map(({ filled }) => filled));
}
