// Clients for all transports: Streamable HTTP in both eras, HTTP with SSE, and stdio. Each checks that responses match
// their requests.
import net from 'node:net';
import { endProcess, startProcess } from './processes.mjs';
import { Events, Lines, Responses } from './wire.mjs';

const PATIENCE = 20_000;
const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

// Common part of the three: pending requests.
class Session {
  constructor() {
    this.lastId = 0;
    this.patience = PATIENCE;
    this.waiting = new Map();
  }

  request(method, params) {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.settle(id, new Error(method + ' got no answer')), this.patience);
      this.waiting.set(id, { resolve, reject, timer });
      this.send({ jsonrpc: '2.0', id, method, params });
    });
  }

  settle(id, failure, result) {
    const one = this.waiting.get(id);
    if (one) {
      this.waiting.delete(id);
      clearTimeout(one.timer);
      failure ? one.reject(failure) : one.resolve(result);
    }
  }

  message(bytes) {
    const message = JSON.parse(bytes);
    if (message.result) {
      this.settle(message.id, null, message.result);
    } else if (message.error) {
      this.settle(message.id, new Error(JSON.stringify(message.error)));
    }
  }

  broken(why) {
    for (const id of [...this.waiting.keys()]) {
      this.settle(id, new Error(why));
    }
  }

  async open() {
    await this.connect();
    await this.request('initialize', HELLO);
    this.isOpen = true;
    await this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return this;
  }

  async call(tool, given, expected) {
    const result = await this.request('tools/call', { name: tool, arguments: given });
    const text = result.content?.[0]?.text ?? '';
    if (result.isError || !(typeof expected === 'number' ? text.length === expected : text.includes(expected))) {
      throw new Error('wrong answer: ' + text.slice(0, 100));
    }
  }
}

// One connection that carries one request after the other.
class Channel {
  constructor(url, reader, broken) {
    this.queue = Promise.resolve();
    this.host = `Host: ${url.host}\r\n`;
    this.url = url;
    this.reader = reader;
    this.broken = broken;
  }

  connect() {
    return new Promise((resolve, reject) => {
      const responses = new Responses({
        begin: (status, headers) => this.reader.begin(status, headers),
        piece: (bytes) => this.reader.piece(bytes),
        end: () => {
          this.reader.end();
          this.answered?.();
        },
      });
      this.socket = net.connect({ host: this.url.hostname, port: Number(this.url.port), noDelay: true }, resolve);
      this.socket.on('data', (bytes) => responses.push(bytes));
      this.socket.on('error', reject);
      this.socket.on('close', () => this.broken('the connection was closed'));
    });
  }

  // Request line and constant headers are precomputed. Resolves when the response has ended.
  send(method, target, headers, body) {
    const done = this.queue.then(
      () =>
        new Promise((answered) => {
          this.answered = answered;
          const length = body === null ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
          this.socket.write(`${method} ${target} HTTP/1.1\r\n${this.host}${headers}${length}\r\n${body ?? ''}`);
        }),
    );
    this.queue = done;
    return done;
  }

  close() {
    this.socket?.destroy();
  }
}

const POST = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n';

export class HttpSession extends Session {
  constructor(url) {
    super();
    this.target = new URL(url).pathname;
    this.headers = POST;
    this.channel = new Channel(new URL(url), this, (why) => this.broken(why));
  }

  connect() {
    return this.channel.connect();
  }

  begin(status, headers) {
    this.status = status;
    if (headers['mcp-session-id'] && this.headers === POST) {
      this.headers += `Mcp-Session-Id: ${headers['mcp-session-id']}\r\nMcp-Protocol-Version: 2025-06-18\r\n`;
    }
    this.pieces = [];
    const streams = headers['content-type']?.startsWith('text/event-stream');
    this.events = streams ? new Events((name, data) => data.length > 0 && this.message(data)) : null;
  }

  piece(bytes) {
    this.events ? this.events.push(bytes) : this.pieces.push(bytes);
  }

  end() {
    const body = this.pieces.length === 1 ? this.pieces[0] : Buffer.concat(this.pieces);
    if (this.status >= 300) {
      this.broken('status ' + this.status + ' ' + body.toString().slice(0, 200));
    } else if (body.length > 0 && this.status === 200 && body[0] === 0x7b) {
      this.message(body);
    }
  }

  send(message) {
    return this.channel.send('POST', this.target, this.headers, JSON.stringify(message));
  }

  async close() {
    const patience = new Promise((resolve) => setTimeout(resolve, 2_000).unref());
    await Promise.race([this.channel.send('DELETE', this.target, this.headers, null), patience]);
    this.channel.close();
  }
}

// A client of the stateless era: each request is self-contained, in its body and its headers.
const STATELESS = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': STATELESS,
  'io.modelcontextprotocol/clientInfo': HELLO.clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

export class StatelessSession extends HttpSession {
  async open() {
    await this.connect();
    return this;
  }

  request(method, params) {
    this.headers = `${POST}Mcp-Protocol-Version: ${STATELESS}\r\nMcp-Method: ${method}\r\nMcp-Name: ${params.name}\r\n`;
    return super.request(method, { ...params, _meta: { ...META, ...params._meta } });
  }

  async close() {
    this.channel.close();
  }
}

// The transport of revision 2024-11-05: one event stream for responses, and POSTs for requests.
export class EventSession extends Session {
  constructor(url) {
    super();
    this.url = new URL(url);
    this.events = new Events((name, data) => (name === 'endpoint' ? this.found(data) : this.message(data)));
    const quiet = { begin: () => {}, piece: () => {}, end: () => {} };
    const stream = {
      begin: (status) => status === 200 || this.refused(new Error('status ' + status)),
      piece: (bytes) => this.events.push(bytes),
      end: () => this.broken('the stream has ended'),
    };
    this.stream = new Channel(this.url, stream, (why) => this.broken(why));
    this.channel = new Channel(this.url, quiet, (why) => this.broken(why));
  }

  async connect() {
    await this.stream.connect();
    await this.channel.connect();
    const endpoint = new Promise((resolve, reject) => {
      this.found = (data) => resolve(new URL(data.toString(), this.url));
      this.refused = reject;
      setTimeout(() => reject(new Error('no endpoint was told')), PATIENCE).unref();
    });
    this.stream.send('GET', this.url.pathname, 'Accept: text/event-stream\r\n', null);
    const found = await endpoint;
    this.target = found.pathname + found.search;
  }

  send(message) {
    return this.channel.send('POST', this.target, POST, JSON.stringify(message));
  }

  async close() {
    this.stream.close();
    this.channel.close();
  }
}

export class StdioSession extends Session {
  constructor(command, options = {}) {
    super();
    this.command = command;
    this.options = options;
  }

  async connect() {
    this.process = startProcess(this.command, this.options);
    const lines = new Lines((line) => line.length > 0 && this.message(line));
    this.process.stdout.on('data', (bytes) => lines.push(bytes));
    this.process.on('error', (why) => this.broken(String(why)));
    this.process.on('close', () => this.broken('the process has ended'));
  }

  send(message) {
    this.process.stdin.write(JSON.stringify(message) + '\n');
  }

  async close() {
    await endProcess(this.process, { limit: 5_000 });
  }
}
