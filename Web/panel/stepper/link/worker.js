/** The worker that all documents of a browser share. Its name is the address of the interface. */
import { Hub } from './hub.js';

/** By the name of a document; those that have not said theirs yet. */
const ports = new Map(), strangers = new Set();

const hub = new Hub(globalThis.name, (message) => {
  if (message.to) return ports.get(message.to)?.postMessage(message);
  for (const port of [...strangers, ...ports.values()]) port.postMessage(message);
  return undefined;
});

globalThis.onconnect = ({ ports: [port] }) => {
  strangers.add(port);
  port.onmessage = ({ data }) => {
    strangers.delete(port);
    if (data.from && data.wants === null) ports.delete(data.from);
    else ports.set(data.from, port);
    hub.receive(data);
  };
};
