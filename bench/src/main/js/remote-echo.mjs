// The echo server over Streamable HTTP, of one era: remote-echo.mjs session|stateless PORT. Answers in JSON, and has no
// streams. Over WebSocket at the same address it is a server with sessions.
import http from 'node:http';
import { createHash, randomUUID } from 'node:crypto';
import { answer, statelessAnswer } from './answers.mjs';

const [era, port] = process.argv.slice(2);
const sessions = new Set();

function send(response, status, headers = {}, body = '') {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

function say(response, said, headers = {}) {
  said ? send(response, 200, { 'Content-Type': 'application/json', ...headers }, said) : send(response, 202);
}

function post(request, message, response) {
  const version = request.headers['mcp-protocol-version'];
  if (era === 'stateless') {
    version === '2026-07-28' && request.headers['mcp-method'] === message.method
      ? say(response, statelessAnswer(message))
      : send(response, 400);
  } else if (message.method === 'initialize') {
    const id = randomUUID();
    sessions.add(id);
    say(response, answer(message), { 'Mcp-Session-Id': id });
  } else if (sessions.has(request.headers['mcp-session-id'])) {
    say(response, answer(message));
  } else {
    send(response, request.headers['mcp-session-id'] ? 404 : 400);
  }
}

function handle(request, response) {
  if (request.method === 'DELETE') {
    send(response, sessions.delete(request.headers['mcp-session-id']) ? 200 : 404);
  } else if (request.method !== 'POST') {
    send(response, 405);
  } else {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => post(request, JSON.parse(Buffer.concat(pieces)), response));
  }
}

// The first frame of the bytes, unmasked, and the rest; undefined as long as it is not complete.
function frameOf(bytes) {
  const shown = bytes[1] & 0x7f;
  const head = shown < 126 ? 2 : shown === 126 ? 4 : 10;
  if (bytes.length < head + 4) return undefined;
  const length = shown < 126 ? shown : shown === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const end = head + 4 + length;
  if (bytes.length < end) return undefined;
  const payload = Buffer.from(bytes.subarray(head + 4, end));
  for (let i = 0; i < length; i++) payload[i] ^= bytes[head + (i & 3)];
  return { opcode: bytes[0] & 0x0f, payload, rest: bytes.subarray(end) };
}

function textFrame(said) {
  const payload = Buffer.from(said);
  const head = payload.length < 126 ? Buffer.alloc(2) : payload.length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = 0x81;
  head[1] = head.length === 2 ? payload.length : head.length === 4 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(payload.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

function upgrade(request, socket) {
  const key = request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: mcp\r\n' +
      `Sec-WebSocket-Accept: ${createHash('sha1').update(key).digest('base64')}\r\n\r\n`,
  );
  let bytes = Buffer.alloc(0);
  socket.on('data', (piece) => {
    bytes = bytes.length === 0 ? piece : Buffer.concat([bytes, piece]);
    for (let frame = frameOf(bytes); frame; frame = frameOf(bytes)) {
      bytes = frame.rest;
      if (frame.opcode === 8) return socket.end();
      const said = answer(JSON.parse(frame.payload));
      if (said) socket.write(textFrame(said));
    }
  });
}

// Connections stay open between measurements of the same contender.
http.createServer({ keepAliveTimeout: 600_000 }, handle).on('upgrade', upgrade).listen(Number(port), '127.0.0.1');
