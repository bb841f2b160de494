// Clients of either era that can be asked: over standard input and output, and over the socket of a shared gateway.
import net from 'node:net';
import { endProcess, startProcess } from '../processes.mjs';
import { faultOf } from '../promises/open.mjs';
import { Lines } from '../wire.mjs';

const BRACE = '{'.charCodeAt(0);
const MESSAGE = 'm'.charCodeAt(0);
const STATELESS = '2026-07-28';
const clientInfo = { name: 'bench', version: '1' };

// The common part of both: requests, answers, and questions.
class Peer {
  // @param about {era: 'legacy' or 'modern', capabilities, answer}; `answer` gets a request of a server and returns the result
  constructor({ era = 'legacy', capabilities = {}, answer }) {
    Object.assign(this, { era, capabilities, answer, waiting: new Map(), last: 0 });
    this.begun = performance.now();
  }

  broken(why) {
    this.hasEnded = true;
    this.waiting.forEach((settle) => settle({ error: { message: why } }));
    this.waiting.clear();
  }

  heard(message) {
    if (message.method !== undefined && message.id !== undefined) {
      this.write({ id: message.id, ...this.answered(message) });
    } else if (message.method === undefined) {
      const settle = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      settle?.(message);
    }
  }

  answered(request) {
    const result = request.method === 'ping' ? {} : this.answer?.(request);
    return result ? { result } : { error: { code: -32601, message: 'unknown method' } };
  }

  write(message) {
    this.writeLine(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  // Resolves to the answer, a result or an error, whatever happens.
  ask(method, params) {
    const id = ++this.last;
    if (this.hasEnded) {
      return Promise.resolve({ error: { message: 'the process has ended' } });
    }
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.write({ id, method, params: this.era === 'modern' ? { ...params, _meta: { ...this.meta(), ...params._meta } } : params });
    });
  }

  meta() {
    return {
      'io.modelcontextprotocol/protocolVersion': STATELESS,
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': this.capabilities,
    };
  }

  async result(method, params) {
    const { result, error } = await this.ask(method, params);
    if (error) {
      throw new Error(`${method}: ${JSON.stringify(error)}`);
    }
    return result;
  }

  // `openMillis` is then the time from the start of the process to its first answer.
  async open() {
    if (this.era === 'modern') {
      await this.result('server/discover', {});
    } else {
      await this.result('initialize', { protocolVersion: '2025-11-25', capabilities: this.capabilities, clientInfo });
      this.write({ method: 'notifications/initialized' });
    }
    this.openMillis = performance.now() - this.begun;
    return this;
  }

  // The outcome of a call, and when it was sent and answered. The questions of a stateless server are answered in
  // further rounds.
  async call(name, given) {
    const sentAt = performance.now();
    let params = { name, arguments: given };
    let { result, error } = await this.ask('tools/call', params);
    while (result?.resultType === 'input_required') {
      const answers = Object.entries(result.inputRequests).map(([key, request]) => [key, this.answer(request)]);
      params = { name, arguments: given, inputResponses: Object.fromEntries(answers), requestState: result.requestState };
      ({ result, error } = await this.ask('tools/call', params));
    }
    return {
      sentAt,
      answeredAt: performance.now(),
      text: result?.content?.[0]?.text ?? '',
      isError: error !== undefined || result.isError === true,
      fault: result && faultOf(result),
      broken: error && JSON.stringify(error),
    };
  }
}

export class Client extends Peer {
  // @param about also the options of spawn
  constructor(command, { era, capabilities, answer, ...options } = {}) {
    super({ era, capabilities, answer });
    this.notes = '';
    this.process = startProcess(command, { stdio: ['pipe', 'pipe', 'pipe'], ...options });
    this.process.stderr.on('data', (bytes) => (this.notes = (this.notes + bytes).slice(-4000)));
    this.process.gone.then((why) => this.broken(`the process ended with ${why}: ${this.notes}`));
    // Some servers write other lines, too.
    const lines = new Lines((line) => line[0] === BRACE && this.heard(JSON.parse(line)));
    this.process.stdout.on('data', (bytes) => lines.push(bytes));
  }

  get pid() {
    return this.process.pid;
  }

  writeLine(line) {
    this.process.stdin.write(line + '\n');
  }

  close(limit = 15_000) {
    return endProcess(this.process, { limit });
  }
}

// Speaks with the gateway as a connector does, without the connector.
export class Link extends Peer {
  // @param config the real path of the configuration file
  constructor(socket, config) {
    super({});
    const release = { version: '0.0', build: '', builtMs: 0 };
    this.hello = { link: 1, ...release, config, folder: process.cwd(), expose: 'proxy', resumed: false };
    this.greetings = 0;
    this.socket = net.connect(socket);
    this.socket.on('error', (why) => this.broken(why.message));
    this.socket.on('close', () => this.broken('the socket was closed'));
    const lines = new Lines((line) => this.line(line));
    this.socket.on('data', (bytes) => lines.push(bytes));
  }

  // The gateway welcomes it and names the variables that it wants, of which it gets none, and answers once more.
  line(bytes) {
    if (bytes[0] === MESSAGE) {
      this.heard(JSON.parse(bytes.subarray(1)));
    } else if (bytes[0] === BRACE && ++this.greetings === 1) {
      this.socket.write('{}\n');
    } else if (bytes[0] === BRACE) {
      this.welcomed();
    }
  }

  async open() {
    this.socket.write(JSON.stringify(this.hello) + '\n');
    await new Promise((resolve) => (this.welcomed = resolve));
    return super.open();
  }

  writeLine(line) {
    this.socket.write('m' + line + '\n');
  }

  close() {
    this.socket.end();
  }
}
