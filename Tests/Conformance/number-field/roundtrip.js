/** Whether everything that the panel writes is read back as what it was, in every language that the machine knows. */

/** Kinds of numbers: what a description says of them, how many decimal places, and the most digits before the point. */
export const KINDS = {
  decimal: [{}, 3, 9], grouped: [{ grouping: true }, 2, 12], percent: [{ style: 'percent', grouping: true }, 4, 7],
  currency: [{ style: 'currency', currency: 'EUR', grouping: true }, 2, 9], dollars: [{ style: 'currency', currency: 'USD' }, 2, 5],
};

/** Every locale of this machine: languages, with the scripts and regions that make a difference to it. */
export function locales() {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'], two = letters.flatMap((one) => letters.map((other) => one + other));
  const pairs = [...two, ...two.flatMap((pair) => letters.map((one) => pair + one))];
  const own = (tag) => Intl.NumberFormat.supportedLocalesOf([tag])[0] === tag && new Intl.NumberFormat(tag).resolvedOptions().locale === tag;
  const languages = pairs.filter(own);
  const scripts = ['Latn', 'Cyrl', 'Arab', 'Hans', 'Hant', 'Deva', 'Beng', 'Guru', 'Tfng', 'Vaii', 'Olck', 'Adlm', 'Mtei', 'Telu', 'Aran'];
  const regions = [...two.map((pair) => pair.toUpperCase()), '001', '150', '419'];
  const tags = [...languages, ...languages.flatMap((language) => scripts.map((script) => `${language}-${script}`)).filter(own)];
  return [...tags, ...tags.flatMap((tag) => regions.map((region) => `${tag}-${region}`)).filter(own)];
}

/** Decimals that are the same in every run: small and large ones, both signs, all numbers of places. */
function* values(count, places, digits) {
  let seed = 12345;
  const random = (limit) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor(seed / 65536) % limit;
  };
  for (let index = 0; index < count; index += 1) {
    const whole = Array.from({ length: 1 + random(digits) }, () => random(10)).join('').replace(/^0+(?=\d)/, '');
    const fraction = Array.from({ length: places && random(places + 1) }, () => random(10)).join('');
    const text = fraction ? `${whole}.${fraction}` : whole;
    yield /[1-9]/.test(text) && random(2) ? `-${text}` : text;
  }
}

const same = (one, other) => one.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') === other.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');

/**
 * Languages that write a sample alike are one manner of writing, of which one is tried.
 * @returns {{locales, manners, values, failed: [language, kind, value, written, read][]}}
 */
export function roundTrip({ numbersOf, read }, tags, count, kinds = Object.keys(KINDS)) {
  const result = { locales: tags.length, manners: 0, values: 0, failed: [] };
  for (const kind of kinds) {
    const [format, places, digits] = KINDS[kind], seen = new Set();
    for (const tag of tags) {
      const numbers = numbersOf({ format }, tag);
      const write = (text) => numbers.format(text);
      const sample = [...values(40, places, digits)].map(write).join('|');
      if (seen.has(sample)) continue;
      seen.add(sample);
      for (const text of values(count, places, digits)) {
        const written = write(text), back = read(numbers, written, false);
        result.values += 1;
        if ((back === undefined || !same(back, text)) && result.failed.length < 100) result.failed.push([tag, kind, text, written, back]);
      }
    }
    result.manners += seen.size;
  }
  return result;
}
