#!/usr/bin/env node
// Runs texts.json with the panel's own parser, without a browser. Exits 1 when a case fails.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

const here = new URL('.', import.meta.url), folder = mkdtempSync(`${tmpdir()}/texts-`);
let failed = 0;
try {
  // The panel's sources are modules for browsers, and have no package.
  cpSync(new URL('../../../Web/panel/stepper/words', here), folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, '{"type": "module"}');
  const { numbersOf } = await import(`${folder}/numbers.js`), { read } = await import(`${folder}/reading.js`);
  const { cases } = JSON.parse(readFileSync(new URL('texts.json', here)));
  for (const { name, given: { language, expressions, ...description }, do: text, expect } of cases) {
    const found = read(numbersOf(description, language), text, !!expressions) ?? null;
    if (found === expect) continue;
    failed += 1;
    console.log(`${name}: "${text}" is ${found}, expected ${expect}`);
  }
  console.log(`${cases.length - failed} passed, ${failed} failed`);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = failed ? 1 : 0;
