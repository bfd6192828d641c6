/** The text field. */

export function bind(control, on) {
  const { input } = control.view.parts;
  let touched = false;
  on(input, 'pointerdown', ({ pointerType }) => {
    touched = pointerType === 'touch';
    input.inputMode = touched && control.opensKeypad ? 'none' : control.inputMode;
  });
  on(input, 'focus', () => {
    import('../words/reading.js');
    if (touched) input.select();
  });
  on(input, 'click', async ({ pointerType }) => {
    if (!control.writable || !control.opensKeypad || (pointerType !== 'touch' && control.attribute('keypad') !== 'on')) return;
    (await import('./keypad.js')).openKeypad(control, input);
  });
  on(input, 'beforeinput', (event) => {
    if (!control.writable || !control.mayType(event.data ?? '')) event.preventDefault();
  });
  on(input, 'input', (event) => {
    event.stopPropagation();
    control.write(input.value);
  });
  on(input, 'change', (event) => event.stopPropagation());
  on(input, 'blur', () => control.leave());
  const winui = control.options.look.startsWith('winui');
  on(input, winui ? 'keyup' : 'keydown', ({ key, isComposing }) => key === 'Enter' && !isComposing && control.commit());
  on(input, 'keydown', (event) => {
    if (event.key !== 'Escape' || control.draft === null) return;
    event.preventDefault();
    control.revert();
  });
}
