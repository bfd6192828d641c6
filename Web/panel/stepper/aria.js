/** What assistive technology is told of a control, in the frame of the visible text. */
import { put, tie } from './dom.js';

const text = (value) => (value ?? null) === null ? null : String(value);
const flag = (on) => (on ? 'true' : null);

/** What a page wrote in place of a part's text. */
const slotted = (part) => (part.querySelector('slot')?.assignedNodes() ?? []).map((node) => node.textContent).join('').trim();

/** @param {Control} control @param {object} model as drawn */
export function describe(control, model) {
  const { main, label, state, readonly, valueText } = control, { parts } = control.view, { as } = control.options;
  for (const [word, part, able] of [['increase', parts.increment, model.canIncrement], ['decrease', parts.decrement, model.canDecrement]]) {
    if (part) put(part, { ariaLabel: control.say(word, { name: label }), ariaDisabled: String(!able), tabIndex: -1 });
  }
  put(main, {
    ariaLabel: label, ariaDisabled: String(!control.operable), ariaBusy: flag(!control.record && control.connecting),
    ariaDescription: [slotted(parts.subtitle) || model.subtitle, control.hint].filter(Boolean).join('. ') || null,
    ariaInvalid: flag(control.fault),
    ariaReadOnly: flag(readonly && !/slider|menu|button|segmented/.test(as)),
  });
  tie(main, {
    'aria-describedby': model.error ? [...(model.subtitle ? ['subtitle'] : []), 'error'].join(' ') : null,
    'aria-errormessage': control.fault ? 'error' : null,
  });
  // What is off is no text that must be read: label and value stand beside the part that says so.
  if (main !== parts.base) put(parts.base, { ariaDisabled: flag(!control.operable) });
  const { minimum, maximum } = model;
  if (as === 'stepper' || as === 'field') {
    put(main, {
      role: 'spinbutton', ariaValueNow: text(state.value), ariaValueText: valueText, ariaValueMin: text(minimum),
      ariaValueMax: text(maximum), ariaRequired: flag(control.host.required), ...(as === 'field' ? { readOnly: !control.writable } : {}),
      tabIndex: control.host.matches(':disabled') ? -1 : 0,
    });
  } else if (as === 'switch') {
    put(main, { role: 'switch', ariaChecked: String(model.on) });
  }
  control.describeOptions?.(model);
}
