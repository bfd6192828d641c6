/** Enter in a form, as browsers have it for their own fields. */

const FIELDS = /^(text|search|tel|url|email|password|date|month|week|time|datetime-local|number|stepper-control)$/;

/** By the first button that submits; without one, if the form has no other field. */
export function submit(form) {
  const elements = [...form?.elements ?? []], button = elements.find(({ type }) => type === 'submit');
  if (button) button.click();
  else if (elements.filter(({ type }) => FIELDS.test(type)).length === 1) form.requestSubmit();
}
