/** Choices: a wheel, segments or a menu. */

import { mark } from './glyphs.js';
import { element, fitted, write } from './parts.js';

const optionButtons = (titles) => titles.map((title) => element('button', 'option', [title]));

function markChosen(options, index) {
  options.forEach((option, at) => option.classList.toggle('chosen', at === index));
}

function segmented({ choices }) {
  const options = optionButtons(choices);
  const group = element('div', 'options', options, 'segments');
  return { content: [group], parts: { segmented: group, options }, update: ({ index }) => markChosen(options, index) };
}

function wheel({ choices }) {
  const options = optionButtons(choices);
  const rows = element('div', 'options', options, 'wheel-rows');
  // A long title has several lines, so that rows differ.
  const top = ({ offsetTop, offsetHeight }) => offsetTop - options[0].offsetTop + (offsetHeight - options[0].offsetHeight) / 2;
  const away = (option) => Math.abs(top(option) - rows.scrollTop);
  let shown = null;
  // Rows snap to where they are drawn, and on the barrel those that are far away are drawn elsewhere: a scroll of ours would end beside its row.
  const snaps = (does) => { rows.style.scrollSnapType = does ? '' : 'none'; };
  for (const type of ['scrollend', 'pointerdown', 'touchstart', 'wheel']) rows.addEventListener(type, () => snaps(true), { passive: true });
  return {
    content: [element('div', 'wheel', [element('span', 'indicator'), rows], 'wheel-box')],
    parts: { wheel: rows, options },
    wheelIndex: () => options.reduce((best, option, at) => (away(option) < away(options[best]) ? at : best), 0),
    update({ index, scrolling }) {
      markChosen(options, index);
      if (scrolling || index === null) shown = null;
      else if (index !== shown && rows.isConnected) {
        snaps(false);
        rows.scrollTo({ top: top(options[index]), behavior: shown === null ? 'instant' : 'auto' });
        shown = index;
      }
    },
  };
}

function menu({ choices }, platform) {
  const options = ['', ...choices].map((title, at) => new Option(title, at - 1));
  options[0].hidden = true;
  const select = element('select', 'input', options, 'select'), fit = fitted(select);
  const pointer = element('span', '', [mark(/uikit|appkit/.test(platform))], 'mark');
  return {
    content: [element('label', 'field', [fit.box, pointer], 'menu-box')],
    parts: { select, input: select, options: options.slice(1) },
    update({ index, placeholder, room }) {
      fit.keep(room, options[(index ?? -1) + 1]?.textContent);
      write(options[0], placeholder ?? '–');
      select.value = index ?? -1;
    },
  };
}

export const content = { segmented, wheel, menu };
