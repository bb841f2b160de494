// A faulty server over Streamable HTTP, of the session era. Its parent selects the fault; it counts the calls that reach it.
import http from 'node:http';

const counts = { calls: 0, seconds: {}, keys: {} };
let outage = false;

const NAMES = ['read', 'cut', 'drip', 'echo'];
const tools = NAMES.map((name) => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: name === 'read' },
}));

function send(response, status, body = '', headers = {}) {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers }).end(body);
}

const answer = (response, id, result, headers) => send(response, 200, JSON.stringify({ jsonrpc: '2.0', id, result }), headers);

// The head of a response, then single bytes at long intervals.
function drip(response) {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
}

function call(response, { id, params }) {
  const second = Math.floor(performance.now() / 1000);
  counts.calls++;
  counts.seconds[second] = (counts.seconds[second] ?? 0) + 1;
  const { name, arguments: given = {} } = params;
  if (given.key !== undefined) {
    counts.keys[given.key] = (counts.keys[given.key] ?? 0) + 1;
  }
  if (outage) {
    send(response, 500);
  } else if (name === 'cut') {
    response.socket.destroy();
  } else if (name === 'drip') {
    drip(response);
  } else {
    answer(response, id, { content: [{ type: 'text', text: 'Echo: ' + given.message }] });
  }
}

function post(response, message) {
  const info = { name: 'small', version: '1' };
  if (message.id === undefined) {
    send(response, 202);
  } else if (message.method === 'initialize') {
    const { protocolVersion } = message.params;
    answer(response, message.id, { protocolVersion, capabilities: { tools: {} }, serverInfo: info }, { 'Mcp-Session-Id': 'one' });
  } else if (message.method === 'tools/list') {
    answer(response, message.id, { tools });
  } else if (message.method === 'tools/call') {
    call(response, message);
  } else {
    answer(response, message.id, {});
  }
}

const server = http.createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  if (request.method !== 'POST') {
    return send(response, 405);
  }
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  return request.on('end', () => post(response, JSON.parse(Buffer.concat(pieces))));
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', (told) => {
  outage = told.outage ?? outage;
  process.send({ counts });
});
process.on('disconnect', () => process.exit(0));
