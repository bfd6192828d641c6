/** A switch and a push button. */

import { element, slotted, write } from './parts.js';

export function switchContent(options) {
  const knob = element('span', 'knob');
  const track = element('button', 'switch', 'track', [element('span', '', 'halo'), knob]);
  track.type = 'button';
  const value = element('bdi', 'value');
  const shown = options.valueDisplay === 'start' || options.valueDisplay === 'end';
  const content = options.valueDisplay === 'end' ? [track, value] : [value, track];
  return {
    content: shown ? content : [track],
    parts: { switch: track, knob, ...(shown ? { value } : {}) },
    update(model) {
      track.classList.toggle('on', Boolean(model.on));
      track.classList.toggle('unset', Boolean(model.unset));
      write(value, model.text);
    },
  };
}

export function buttonContent() {
  const label = slotted('label');
  const push = element('button', 'button', 'push', [label.box, element('span', '', 'layer')]);
  push.type = 'button';
  return {
    content: [push],
    parts: { button: push, label: label.box },
    update(model) {
      push.classList.toggle('on', Boolean(model.on));
      write(label.text, model.label);
    },
  };
}
