// The page's way to its bench where no server is behind: a worker that answers as a socket does, and nothing beside it.

const worker = new Worker(new URL("../../page/worker.js", import.meta.url), { type: "module" });

export const bench = new EventTarget(); // events of the worker that a cockpit's server has not: choices, begun, pace, ...
export const give = (task, fields = {}) => worker.postMessage({ task, ...fields });

let socket = null;

worker.onmessage = ({ data }) => {
  if (typeof data === "string" || data instanceof ArrayBuffer) socket?.onmessage({ data });
  else bench.dispatchEvent(new CustomEvent(data.kind, { detail: data }));
};
worker.onerror = (event) => bench.dispatchEvent(new CustomEvent("refused", { detail: { reason: event.message } }));

export function openSocket() {
  if (socket) location.reload(); // a page that comes back from the browser's memory: its worker has ended
  socket = {
    readyState: WebSocket.OPEN,
    send: (text) => give("command", { text }),
    close: () => worker.terminate(),
    onmessage() {},
  };
  return socket;
}

export const ask = async () => new Response("a bench in a page has no server", { status: 404 });
