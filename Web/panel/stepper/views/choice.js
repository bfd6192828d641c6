/** Choices: a wheel, segments or a menu. */

import { down, upDown } from './glyphs.js';
import { element, setProperty, write } from './parts.js';

function optionElements(titles) {
  return titles.map((title) => {
    const made = element('button', 'option', 'option', [element('span', '', '', [title])]);
    made.type = 'button';
    made.tabIndex = -1;
    return made;
  });
}

function markChosen(options, index) {
  options.forEach((option, at) => option.classList.toggle('chosen', at === index));
}

function segmented(titles) {
  const options = optionElements(titles);
  const indicator = element('span', 'indicator');
  const group = element('div', 'options', 'segments', [indicator, ...options]);
  setProperty(group, '--_count', String(Math.max(titles.length, 1)));
  return {
    content: [group],
    parts: { segmented: group, group, options, indicator },
    update(model) {
      markChosen(options, model.index);
      setProperty(group, '--_index', String(Math.max(model.index ?? -1, -1)));
      group.classList.toggle('none', !(model.index >= 0));
    },
  };
}

function wheel(titles) {
  const options = optionElements(titles);
  const scroller = element('div', 'options', 'wheel-rows', options);
  const box = element('div', 'wheel', 'wheel-box', [element('span', 'indicator'), scroller]);
  let shown = null;
  const rowHeight = () => options[0]?.offsetHeight || 32;
  return {
    content: [box],
    parts: { wheel: scroller, group: scroller, options, indicator: box.firstChild },
    wheelIndex: () => Math.min(Math.max(Math.round(scroller.scrollTop / rowHeight()), 0), options.length - 1),
    update(model) {
      markChosen(options, model.index);
      if (model.scrolling || !(model.index >= 0)) {
        shown = null;
        return;
      }
      if (model.index === shown || !scroller.isConnected) return;
      const top = model.index * rowHeight();
      scroller.scrollTo({ top, behavior: shown === null || calm() ? 'instant' : 'smooth' });
      shown = model.index;
    },
  };
}

function calm() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

function menu(titles, platform) {
  const select = element('select', 'input', 'select');
  const empty = document.createElement('option');
  empty.value = '';
  empty.hidden = true;
  const options = titles.map((title, index) => {
    const made = document.createElement('option');
    made.value = String(index);
    made.append(title);
    return made;
  });
  select.append(empty, ...options);
  const mark = element('span', '', 'mark', [platform === 'appkit' || platform === 'uikit' ? upDown() : down()]);
  return {
    content: [element('label', 'field', 'menu-box', [select, mark])],
    parts: { select, input: select, options },
    update(model) {
      write(empty, model.placeholder ?? '–');
      const wanted = model.index >= 0 ? String(model.index) : '';
      if (select.value !== wanted) select.value = wanted;
    },
  };
}

export function choiceContent(options, platform) {
  const titles = options.choices ?? [];
  const made = { segmented, wheel, menu }[options.as](titles, platform);
  const incoming = element('span', 'incoming');
  made.content.push(incoming);
  made.parts.incoming = incoming;
  return made;
}
