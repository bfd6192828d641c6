/** What assistive technology is told of a control, in the frame of the visible text. */
import { put, tie } from './dom.js';

const text = (value) => (value ?? null) === null ? null : String(value);
const flag = (on) => (on ? 'true' : null);

/** What a page wrote in place of a part's text. */
const slotted = (part) => (part.querySelector('slot')?.assignedNodes() ?? []).map((node) => node.textContent).join('').trim();

/**
 * What is wrong with a text. It is announced, and as a new description of what has the focus readers would say it once more. By
 * the property, as checkers take an attribute for a message that nothing announces. Older browsers do without.
 */
function explain(main, part) {
  if ('ariaErrorMessageElements' in main && (main.ariaErrorMessageElements?.[0] ?? null) !== part) {
    main.ariaErrorMessageElements = part && [part];
  }
}

/** What a field does not show as its text, from which readers take its value; without a value Chromium tells them 0. */
const fieldWords = ({ unset, valueText }, { unit }) => (unset ? valueText : unit);

/** @param {Control} control @param {object} model as drawn */
export function describe(control, model) {
  const { main, label, state, readonly, valueText } = control, { parts } = control.view, { as } = control.options;
  // What has no such state is off where it cannot be changed.
  const saysReadOnly = !/slider|menu|button|segmented/.test(as);
  for (const [word, part, able] of [['increase', parts.increment, model.canIncrement], ['decrease', parts.decrement, model.canDecrement]]) {
    if (part) put(part, { ariaLabel: control.say(word, { name: label }), ariaDisabled: String(!able), tabIndex: -1 });
  }
  put(main, {
    ariaLabel: label, ariaDisabled: String(!(saysReadOnly ? control.operable : control.writable)), ariaBusy: flag(!control.record && control.connecting),
    ariaDescription: [slotted(parts.subtitle) || model.subtitle, as === 'field' && fieldWords(control, model), control.hint].filter(Boolean).join('. ') || null,
    ariaInvalid: flag(control.fault),
    ariaReadOnly: flag(readonly && saysReadOnly),
  });
  // What has the focus was heard when it was refused.
  const isDescribed = model.error && !control.host.matches(':focus-within');
  tie(main, { 'aria-describedby': isDescribed ? [...(model.subtitle ? ['subtitle'] : []), 'error'].join(' ') : null });
  explain(main, control.fault ? parts.error : null);
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
