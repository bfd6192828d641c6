/** Pieces that several views are made of. */

/** An element with a part name, which is its class unless told, and children. */
export function element(tag, part, children = [], classes = part) {
  const made = document.createElement(tag);
  if (part) made.part = part;
  if (classes) made.className = classes;
  if (tag === 'button') made.type = tag;
  made.append(...children);
  return made;
}

export function slotted(name, ...fallback) {
  const slot = element('slot', '', fallback);
  slot.name = name;
  return slot;
}

/** Writes a text only if it is another one. */
export function write(node, text) {
  if (node.textContent !== (text ?? '')) node.textContent = text ?? '';
}

/** A part whose text the page can replace by a slot. */
export function textPart(name) {
  const text = document.createTextNode('');
  const slot = slotted(name, text);
  return {
    box: element('span', name, [slot]),
    write(value) {
      write(text, value);
      this.box.classList.toggle('empty', !value && slot.assignedNodes().length === 0);
    },
  };
}

/** A box that is as wide as the widest text of `content`, whatever that shows now: hidden texts lie in the same place. */
export function fitted(content) {
  const lines = element('span', '', [], 'lines'), box = element('span', '', [content, lines], 'fit');
  let kept, words = [];
  lines.ariaHidden = 'true';
  return {
    box,
    /** The same object as before: the same texts. Without any it is as wide as what it shows. */
    keep(room, text = '') {
      if ((room ?? text) === kept) return;
      kept = room ?? text;
      room ??= { numbers: [text], words: [] };
      lines.textContent = room.numbers.join('\n');
      // The content stays where it is: a field that is put in anew loses the focus.
      for (const one of words) one.remove();
      words = room.words.map((text) => element('span', '', [text], 'words'));
      for (const one of words) one.ariaHidden = 'true';
      box.append(...words);
    },
  };
}

/** The value, or the field for it, with its unit. */
export function valueGroup(isField) {
  const unit = textPart('unit');
  const value = isField ? element('input', 'input') : element('bdi', 'value');
  if (isField) Object.assign(value, { type: 'text', autocomplete: 'off', spellcheck: false });
  const fit = fitted(value);
  return {
    box: element(isField ? 'label' : 'span', '', [fit.box, unit.box], isField ? 'entry' : 'values'),
    parts: { [isField ? 'input' : 'value']: value, unit: unit.box },
    update(model) {
      const none = model.placeholder ?? '–';
      const text = isField ? model.draft ?? model.text ?? '' : model.text ?? none;
      fit.keep(model.room, text || none);
      unit.write(model.unit);
      unit.box.classList.toggle('unset', !!model.unset);
      if (!isField) write(value, text);
      else {
        if (value.value !== text) value.value = text;
        value.placeholder = none;
      }
    },
  };
}
