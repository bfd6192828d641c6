/** Sliders: a drawn rail under a native range input, which has the gestures and the accessibility. */

import { element, imageSlot, setProperty, valueGroup, write } from './parts.js';

/** More ticks than this are no help. */
const MOST_TICKS = 21;

export function sliderContent(options) {
  const range = element('input', 'input', 'native');
  range.type = 'range';
  const fill = element('span', 'range');
  const dot = element('span', 'thumb-dot');
  const tip = element('span', '', 'tip');
  const thumb = element('span', 'thumb', 'thumb', [dot, tip]);
  const rail = element('span', 'rail', 'rail', [fill]);
  const ticks = element('span', '', 'ticks');
  const track = element('span', '', 'slide', [range, rail, ticks, thumb]);
  const minImage = imageSlot('min-image');
  const maxImage = imageSlot('max-image');
  const shown = valueGroup();
  const incoming = element('span', 'incoming');
  const content = [minImage, track, maxImage];
  if (options.valueDisplay === 'start') content.unshift(shown.box);
  else if (options.valueDisplay !== 'hidden') content.push(shown.box);
  content.push(incoming);

  const count = Math.min(options.ticks ?? 0, MOST_TICKS);
  for (let index = 0; index < count; index += 1) {
    const tick = element('span', 'tick');
    tick.style.setProperty('--_at', String(count > 1 ? index / (count - 1) : 0));
    ticks.append(tick);
  }
  return {
    content,
    parts: {
      ...shown.parts, incoming, rail, fill, range, thumb, thumbDot: dot, minImage, maxImage, ticks: [...ticks.children],
    },
    update(model) {
      shown.update(model);
      write(tip, model.text);
      setProperty(track, '--_fraction', String(Math.min(Math.max(model.fraction ?? 0, 0), 1)));
      track.classList.toggle('dragging', Boolean(model.dragging));
      track.classList.toggle('unset', model.fraction === null || model.fraction === undefined);
    },
  };
}
