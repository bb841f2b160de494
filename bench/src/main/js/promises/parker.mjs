// Pending calls, each on its own connection, in a separate process, so that they do not disturb the measuring process.
// Its parent sends {url, tools, calls} and later {release}; it reports the number of pending and of completed calls.
import net from 'node:net';
import { HttpSession } from '../sessions.mjs';

const BATCH = 100;
// Of one session; all stateless clients together have a limit of 10,000 calls.
const OF_SESSION = 500;
const sockets = new Set();
let sessions = [];
let session;
let back = 0;

function park(url, { headers }, tool, id) {
  const { hostname, port, host, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname, port, noDelay: true }, () => {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: {} } });
      socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`, resolve);
    });
    socket.on('data', (bytes) => {
      back++;
      back <= 3 && process.send({ said: bytes.toString().slice(0, 600) });
    });
    socket.on('error', reject);
    sockets.add(socket);
  });
}

process.on('message', async ({ url, tools, calls, release }) => {
  if (release) {
    sockets.forEach((socket) => socket.removeAllListeners() && socket.on('error', () => {}) && socket.destroy());
    sockets.clear();
    await Promise.all(sessions.map((one) => one.close()));
    sessions = [];
    process.send({ released: true, back });
    back = 0;
    return;
  }
  for (let from = 0; from < calls; from += BATCH) {
    const many = Math.min(BATCH, calls - from);
    if (from % OF_SESSION === 0) {
      session = await new HttpSession(url).open();
      sessions.push(session);
    }
    await Promise.all(Array.from({ length: many }, (_, i) => park(url, session, tools[(from + i) % tools.length], from + i + 1)));
  }
  process.send({ parked: sockets.size, back });
});
process.on('disconnect', () => process.exit(0));
