// Clients that report how each of their calls ended, and never wait without a limit. Ids can be chosen, so that two
// clients can use the same one.
import http from 'node:http';
import { startProcess } from '../processes.mjs';
import { Events, Lines } from '../wire.mjs';

const HELLO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'comparison', version: '1' } };
const OPENING = 15_000;
const LISTING = 5_000;
const USUAL = 20_000;
const FAREWELL = 1_000;

// How a call ended: `how` is one of answer, wrong answer, tool error, error CODE, HTTP STATUS, stream ended, connection lost,
// nothing.
class Client {
  constructor() {
    this.lastId = 0;
    this.waiting = new Map();
  }

  // Never throws: failures are part of the result.
  request(method, params, { id = ++this.lastId, limit = USUAL } = {}) {
    const begun = performance.now();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.settle(id, { how: 'nothing', text: '' }), limit);
      const end = (ending) => {
        clearTimeout(timer);
        resolve({ ...ending, text: ending.text.slice(0, 300), millis: performance.now() - begun });
      };
      this.waiting.set(id, end);
      this.send({ jsonrpc: '2.0', id, method, params });
    });
  }

  notify(method, params) {
    return this.send({ jsonrpc: '2.0', method, params });
  }

  async call({ name, arguments: given }, { expect = '', ...options } = {}) {
    const ending = await this.request('tools/call', { name, arguments: given }, options);
    return ending.how === 'answer' && !ending.text.includes(expect) ? { ...ending, how: 'wrong answer' } : ending;
  }

  async open() {
    await this.connect();
    return this.greet();
  }

  async greet() {
    const hello = await this.request('initialize', HELLO, { limit: OPENING });
    if (hello.how !== 'answer') {
      throw new Error(`initialize: ${hello.how} ${hello.text}`);
    }
    await this.notify('notifications/initialized');
    // As clients do; a gateway may also read the tools' annotations from it.
    await this.request('tools/list', {}, { limit: LISTING });
    return this;
  }

  settle(id, ending) {
    const end = this.waiting.get(id);
    this.waiting.delete(id);
    end?.(ending);
  }

  message(bytes) {
    const { id, method, result, error } = JSON.parse(bytes);
    if (method === 'ping') {
      this.send({ jsonrpc: '2.0', id, result: {} });
    } else if (result) {
      const text = result.content?.map((part) => part.text ?? '').join(' ') ?? '';
      this.settle(id, { how: result.isError ? 'tool error' : 'answer', text });
    } else if (error) {
      this.settle(id, { how: 'error ' + error.code, text: error.message ?? '' });
    }
  }

  broken(how, text = '') {
    [...this.waiting.keys()].forEach((id) => this.settle(id, { how, text }));
  }
}

// One POST, on a new connection if all others are busy. Resolves when its response has ended.
function post(url, agent, headers, message, onResponse, onError) {
  return new Promise((resolve) => {
    const body = JSON.stringify(message);
    const request = http.request(url, { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } });
    request.on('response', (response) => {
      response.on('close', resolve);
      response.on('error', onError);
      onResponse(response);
    });
    request.on('error', (why) => {
      onError(why);
      resolve();
    });
    request.end(body);
  });
}

function whole(response, then) {
  const pieces = [];
  response.on('data', (bytes) => pieces.push(bytes));
  response.on('end', () => then(Buffer.concat(pieces).toString()));
}

const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

// Streamable HTTP.
export class HttpClient extends Client {
  constructor(url) {
    super();
    this.url = new URL(url);
    this.agent = new http.Agent({ keepAlive: true });
    this.headers = JSON_BODY;
  }

  async connect() {}

  send(message) {
    const id = message.method && message.id;
    const responded = (response) => {
      const session = response.headers['mcp-session-id'];
      if (session && this.headers === JSON_BODY) {
        this.headers = { ...JSON_BODY, 'mcp-session-id': session, 'mcp-protocol-version': HELLO.protocolVersion };
      }
      this.read(id, response);
    };
    return post(this.url, this.agent, this.headers, message, responded, (why) =>
      this.settle(id, { how: 'connection lost', text: why.code ?? why.message }),
    );
  }

  read(id, response) {
    if (response.headers['content-type']?.startsWith('text/event-stream')) {
      const events = new Events((name, data) => data.length > 0 && this.message(data));
      response.on('data', (bytes) => events.push(bytes));
      response.on('end', () => this.settle(id, { how: 'stream ended', text: '' }));
      return;
    }
    whole(response, (text) => {
      if (response.statusCode >= 400) {
        this.settle(id, { how: 'HTTP ' + response.statusCode, text });
      } else if (text.startsWith('{')) {
        this.message(text);
      }
      this.settle(id, { how: 'stream ended', text: '' });
    });
  }

  async close() {
    const headers = this.headers;
    await new Promise((resolve) => {
      const request = http.request(this.url, { method: 'DELETE', agent: this.agent, headers, timeout: FAREWELL }, (response) => {
        response.resume();
        response.on('close', resolve);
      });
      request.on('timeout', () => request.destroy());
      request.on('close', resolve);
      request.on('error', resolve);
      request.end();
    });
    this.agent.destroy();
  }
}

// HTTP with SSE, of revision 2024-11-05.
export class EventClient extends Client {
  constructor(url) {
    super();
    this.url = new URL(url);
    this.agent = new http.Agent({ keepAlive: true });
  }

  connect() {
    return new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error('no endpoint was told')), OPENING).unref();
      const events = new Events((name, data) => {
        if (name === 'endpoint') {
          this.target = new URL(data.toString(), this.url);
          resolve();
        } else {
          this.message(data);
        }
      });
      this.stream = http.request(this.url, { headers: { accept: 'text/event-stream' } }, (response) => {
        response.statusCode === 200 || reject(new Error('HTTP ' + response.statusCode));
        response.on('data', (bytes) => events.push(bytes));
        response.on('close', () => this.broken('stream ended'));
        response.on('error', () => {});
      });
      this.stream.on('error', (why) => {
        this.broken('connection lost', why.code);
        reject(why);
      });
      this.stream.end();
    });
  }

  send(message) {
    const id = message.method && message.id;
    const responded = (response) =>
      whole(response, (text) => response.statusCode >= 400 && this.settle(id, { how: 'HTTP ' + response.statusCode, text }));
    return post(this.target, this.agent, JSON_BODY, message, responded, (why) =>
      this.settle(id, { how: 'connection lost', text: why.code ?? why.message }),
    );
  }

  async close() {
    this.stream?.destroy();
    this.agent.destroy();
  }
}

// Standard input and output; the gateway is the client's own process.
export class StdioClient extends Client {
  constructor([program, ...words], options) {
    super();
    Object.assign(this, { program, words, options });
  }

  connect() {
    return new Promise((resolve, reject) => {
      this.process = startProcess([this.program, ...this.words], this.options);
      this.process.on('spawn', resolve);
      this.process.on('error', reject);
      const lines = new Lines((line) => line.length > 0 && this.message(line));
      this.process.stdout.on('data', (bytes) => lines.push(bytes));
      this.process.on('close', () => this.broken('connection lost', 'the gateway has ended'));
    });
  }

  async send(message) {
    this.process.stdin.write(JSON.stringify(message) + '\n');
  }

  async close() {
    this.process?.stdin.end();
  }
}
