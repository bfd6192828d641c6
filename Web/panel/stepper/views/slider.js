/** Sliders: a drawn rail and thumb under a native range input. */

import { element, slotted, valueGroup, write } from './parts.js';

const MOST_TICKS = 21;

function slider({ valueDisplay, ticks = 0 }) {
  const range = element('input', 'input', [], 'native');
  range.type = 'range';
  const fill = element('span', 'range');
  const rail = element('span', 'rail', [fill]);
  const thumbDot = element('span', 'thumb-dot');
  const tip = element('span', '', [], 'tip');
  const thumb = element('span', 'thumb', [thumbDot, tip]);
  const marks = element('span', '', [], 'ticks');
  const last = Math.min(ticks, MOST_TICKS) - 1;
  for (let index = 0; index <= last; index += 1) {
    marks.append(element('span', 'tick'));
    marks.lastChild.style.setProperty('--_place', index / Math.max(last, 1));
  }
  const track = element('span', '', [range, rail, marks, thumb], 'slide');
  const [minImage, maxImage] = ['min-image', 'max-image'].map((name) => element('span', name, [slotted(name)]));
  const shown = valueGroup(false);
  const content = [minImage, track, maxImage];
  if (valueDisplay === 'start') content.unshift(shown.box);
  else if (valueDisplay !== 'hidden') content.push(shown.box);
  return {
    content,
    parts: { ...shown.parts, rail, fill, range, thumb, thumbDot, minImage, maxImage },
    update(model) {
      shown.update(model);
      write(tip, model.text);
      track.style.setProperty('--_fraction', Math.min(Math.max(model.fraction ?? 0, 0), 1));
      track.classList.toggle('dragging', Boolean(model.dragging));
      track.classList.toggle('unset', Boolean(model.unset));
    },
  };
}

export const content = { slider };
