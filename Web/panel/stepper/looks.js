/**
 * Which look and which presentation a control is drawn in. Pure functions of
 * words: neither the document nor the tables of the looks are read.
 */

/** Every look, in the order in which documents list them. */
export const LOOKS = Object.freeze([
  'uikit', 'uikit/ios7', 'swiftui', 'swiftui/macos', 'appkit', 'winui', 'winui/source',
  'gtk', 'gtk/source', 'adwaita', 'adwaita/source', 'material', 'wear', 'rpvertical',
  'slider', 'picker',
]);

/** Profiles whose look is another one than the profile they derive from has. */
const LOOK_OF_PROFILE = { 'gtk/adw': 'adwaita', 'material/wear': 'wear' };

/** The platform whose switches, menus and sliders a look uses. */
const PLATFORM = {
  'uikit/ios7': 'uikit', swiftui: 'uikit', slider: 'uikit', picker: 'uikit', rpvertical: 'uikit',
  'swiftui/macos': 'appkit', 'winui/source': 'winui', 'gtk/source': 'gtk', adwaita: 'gtk',
  'adwaita/source': 'gtk', wear: 'material',
};

/** Looks whose stepper has a text field. */
const FIELD = new Set(['winui', 'winui/source', 'gtk', 'gtk/source', 'adwaita', 'adwaita/source']);

/** @returns {string} one of uikit, appkit, winui, gtk, material */
export function platformOf(look) {
  return PLATFORM[look] ?? look;
}

/**
 * @param {?string} family the built-in profile that the control's profile derives from
 * @param {?string} look the attribute; "auto", absent and unknown words follow the family
 * @returns {string} one of LOOKS
 */
export function resolveLook(family, look) {
  if (LOOKS.includes(look)) return look;
  const own = LOOK_OF_PROFILE[family] ?? String(family ?? '').split('/')[0];
  return LOOKS.includes(own) ? own : 'uikit';
}

/**
 * @param {'continuous'|'choice'|'toggle'|'button'} kind
 * @param {string} look one of LOOKS
 * @param {?string} as the attribute; words that do not fit the kind are ignored
 * @param {number} choiceCount options of a choice
 * @param {boolean} bounded whether both ends of the range are known
 * @returns {'stepper'|'field'|'slider'|'wheel'|'segmented'|'menu'|'switch'|'button'}
 */
export function resolvePresentation(kind, look, as, choiceCount, bounded) {
  if (kind === 'button') return 'button';
  if (kind === 'toggle') return as === 'stepper' ? 'stepper' : 'switch';
  if (kind === 'choice') {
    if (['wheel', 'segmented', 'menu', 'stepper'].includes(as)) return as;
    if (choiceCount <= 4) return 'segmented';
    return platformOf(look) === 'uikit' ? 'wheel' : 'menu';
  }
  const wantsSlider = as === 'slider' || (look === 'slider' && as !== 'stepper' && as !== 'field');
  if (wantsSlider && bounded) return 'slider';
  if (FIELD.has(look) || (as === 'field' && platformOf(look) === 'appkit')) return 'field';
  return 'stepper';
}
