// The page's way to its bench: one socket for messages, and requests beside it. `make web` puts another door in its
// place, behind which the bench runs in the page itself (web/page/door.js).

export const openSocket = () => new WebSocket(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/socket`);

export const ask = (address, options) => fetch(address, options);
