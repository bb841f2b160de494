// The echo server over Streamable HTTP, of one era: remote-echo.mjs session|stateless PORT. Answers in JSON, and has no
// streams.
import http from 'node:http';
import { randomUUID } from 'node:crypto';
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

// Connections stay open between measurements of the same contender.
http.createServer({ keepAliveTimeout: 600_000 }, handle).listen(Number(port), '127.0.0.1');
