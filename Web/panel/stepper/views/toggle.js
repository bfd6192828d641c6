/** A switch and a push button. */

import { element, fitted, textPart, write } from './parts.js';

function switchContent({ valueDisplay }) {
  const knob = element('span', 'knob');
  const track = element('button', 'switch', [element('span', '', [], 'halo'), knob], 'track');
  const value = element('bdi', 'value'), fit = fitted(value);
  return {
    content: { start: [fit.box, track], end: [track, fit.box] }[valueDisplay] ?? [track],
    parts: { switch: track, knob, value },
    update(model) {
      track.classList.toggle('on', Boolean(model.on));
      track.classList.toggle('unset', Boolean(model.unset));
      fit.keep(model.room, model.text);
      write(value, model.text);
    },
  };
}

function buttonContent() {
  const label = textPart('label');
  const push = element('button', 'button', [label.box, element('span', '', [], 'layer')], 'push');
  return {
    content: [push],
    parts: { button: push, label: label.box },
    update(model) {
      push.classList.toggle('on', Boolean(model.on));
      label.write(model.label);
    },
  };
}

export const content = { switch: switchContent, button: buttonContent };
