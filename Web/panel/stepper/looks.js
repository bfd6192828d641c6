/** Which look and which presentation a control is drawn in. */

export const LOOKS = Object.freeze([
  'uikit', 'uikit/ios7', 'swiftui', 'swiftui/macos', 'appkit', 'winui', 'winui/source', 'gtk', 'gtk/source',
  'adwaita', 'adwaita/source', 'material', 'wear', 'rpvertical', 'slider', 'picker',
]);

const LOOK_OF_PROFILE = { 'gtk/adw': 'adwaita', 'material/wear': 'wear' };

const PLATFORM = {
  'swiftui/macos': 'appkit', appkit: 'appkit', winui: 'winui', gtk: 'gtk', adwaita: 'gtk', material: 'material', wear: 'material',
};

/** Whose sliders, switches and menus a look has. */
export function platformOf(look) {
  return PLATFORM[look] ?? PLATFORM[look.split('/')[0]] ?? 'uikit';
}

/** "auto" and unknown looks follow the family: the built-in profile that the control's profile derives from. */
export function resolveLook(family, look) {
  if (LOOKS.includes(look)) return look;
  const own = LOOK_OF_PROFILE[family] ?? String(family ?? '').split('/')[0];
  return LOOKS.includes(own) ? own : 'uikit';
}

/** An "as" that does not fit the kind is ignored; a slider needs both ends of the range. */
export function resolvePresentation(kind, look, as, choiceCount, bounded) {
  const platform = platformOf(look);
  if (kind === 'button') return kind;
  if (kind === 'toggle') return as === 'stepper' ? as : 'switch';
  if (kind === 'choice') {
    if (/^(wheel|segmented|menu|stepper)$/.test(as)) return as;
    return choiceCount <= 4 ? 'segmented' : { uikit: 'wheel' }[platform] ?? 'menu';
  }
  if (bounded && (as === 'slider' || (look === 'slider' && !as))) return 'slider';
  const isField = /winui|gtk/.test(platform) || (platform === 'appkit' && as === 'field');
  return isField ? 'field' : 'stepper';
}
