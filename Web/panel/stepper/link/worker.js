/** The worker that all documents of a browser share. Its name is the address of the interface. */
import { Hub } from './hub.js';

/** So many beats are answered late by one that slept; the tab of one that answers none of them has died. */
const MOST_BEATS = 10;
/** By port: the name of its document, once that has said it, and the beats since it was heard. */
const ports = new Map();

const hub = new Hub(globalThis.name, (message) => {
  for (const [port, document] of ports) {
    if (!message.to || message.to === document.from) port.postMessage(message);
    if (message.type === 'beat' && (document.beats += 1) > MOST_BEATS) ports.delete(port);
  }
});

globalThis.onconnect = ({ ports: [port] }) => {
  ports.set(port, { beats: 0 });
  port.onmessage = ({ data }) => {
    if (data.wants === null) ports.delete(port);
    else ports.set(port, { from: data.from, beats: 0 });
    hub.receive(data);
  };
};
