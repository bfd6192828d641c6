// What the tests ask of a page; run before its own scripts.
(() => {
  const elements = () => [...document.querySelectorAll('stepper-control')];

  /** All parts of an element by name, in document order. */
  const parts = (host, name) => [...(host?.shadowRoot?.querySelectorAll(`[part~="${name}"]`) ?? [])];

  const part = (host, name, index = 0) => parts(host, name)[index] ?? null;

  const visible = (element) => {
    if (!element) return false;
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return box.width > 0 && box.height > 0 && style.visibility === 'visible' && Number(style.opacity) > 0;
  };

  // "connecting" ends with the frame that draws what the daemon said.
  const known = (host) => host.shadowRoot?.querySelector('[part~=base]') && !host.matches(':state(connecting)')
    && (Boolean(host.state) || host.matches(':state(missing)') || host.matches(':state(disconnected)'));

  const box = (element) => {
    if (!element) return null;
    const { x, y, width, height, right, bottom } = element.getBoundingClientRect();
    return { x, y, width, height, right, bottom };
  };

  const shown = (host) => {
    const input = part(host, 'input');
    if (input && 'value' in input && input.type !== 'range' && visible(input)) return input.value;
    return (part(host, 'value')?.textContent ?? '').trim();
  };

  const frames = (count) => new Promise((resolve) => {
    const next = () => (count-- > 0 ? requestAnimationFrame(next) : resolve());
    next();
  });

  window.probe = {
    part,
    parts,
    visible,
    box,
    shown,
    frames,
    number() {
      elements().forEach((host, index) => host.setAttribute('data-probe', index));
      return elements().length;
    },
    ready: () => customElements.get('stepper-control') && document.readyState === 'complete' && elements().every(known),
    unready: () => elements().filter((host) => !known(host)).map((host) => host.getAttribute('name')),
    style: (element, properties, pseudo) => {
      const computed = getComputedStyle(element, pseudo);
      return properties.map((property) => computed.getPropertyValue(property));
    },

    /** Records every event of these types at the document; `recorded` has [type, milliseconds, detail]. */
    record(...types) {
      window.recorded = [];
      for (const type of types) {
        document.addEventListener(type, (event) => {
          window.recorded.push([type, performance.now(), { own: event.detail?.own, text: event.target?.text }]);
        }, true);
      }
    },

    /** Keeps back what answers requests; `sent` has [verb, body], and each of `answers` passes one on. */
    withhold() {
      const { fetch } = window;
      Object.assign(window, { sent: [], answers: [] });
      window.fetch = async (url, options) => {
        const answer = fetch(url, options).then(async (got) => new Response(await got.text(), got));
        window.sent.push([url.split('/').pop(), JSON.parse(options.body ?? null)]);
        await new Promise((resume) => { window.answers.push(resume); });
        return answer;
      };
    },

    /** Follows the text that an element shows, as it is painted; `painted` has [text, milliseconds]. */
    follow(host) {
      window.painted = [];
      let last = null;
      const look = () => {
        const text = shown(host);
        if (text !== last) window.painted.push([text, performance.now()]);
        last = text;
        window.follower = requestAnimationFrame(look);
      };
      look();
    },

    /** Follows what live regions of the document say; `said` has the texts. */
    listen() {
      window.said = [];
      const heard = (node) => {
        const region = (node.nodeType === 1 ? node : node.parentElement)?.closest('[role=status],[role=alert],[aria-live]');
        const text = region?.textContent.trim();
        if (text && window.said.at(-1) !== text) window.said.push(text);
      };
      new MutationObserver((records) => records.forEach((record) => heard(record.target)))
        .observe(document, { subtree: true, childList: true, characterData: true });
    },
  };
})();
