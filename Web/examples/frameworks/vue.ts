// esbuild vue.ts --bundle --minify --format=esm --outfile=vue.js, with NODE_PATH=/usr/share/nodejs for Debian's node-vue, which is
// Vue 2; copy vue.html and vue.js into the folder that "pages" names. Templates need a build step of Vue's: the content security
// policy permits no code that a page makes of text.
import Vue from 'vue';
import type { StepperControl, StepperState } from '/usr/share/stepperd/panel/stepper.js';

Vue.config.ignoredElements = [/^stepper-/];
Vue.config.productionTip = false;

new Vue({
  data: { state: null as StepperState | null },
  methods: {
    half(): void { (this.$refs.volume as unknown as StepperControl).set(50).catch(() => {}); },
  },
  render(draw) {
    const follow = ({ detail }: CustomEvent<{ state: StepperState }>) => { this.state = detail.state; };
    return draw('div', [
      draw('stepper-control', { ref: 'volume', attrs: { name: 'volume', look: 'adwaita' }, on: { 'stepper-change': follow } }),
      draw('button', { on: { click: this.half } }, 'Set to 50'),
      draw('p', this.state?.text ?? 'no value'),
    ]);
  },
}).$mount('#app');
