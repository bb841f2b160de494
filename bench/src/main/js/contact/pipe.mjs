// A stdio server process and its client of the session era.
import { createInterface } from 'node:readline';
import { endProcess, startProcess } from '../processes.mjs';
import { allTools } from './pages.mjs';

const clientInfo = { name: 'bench', version: '1' };

export class PipedServer {
  constructor(command, args, options) {
    this.child = startProcess([command, ...args], options);
    this.waiting = new Map();
    this.last = 0;
    this.child.gone.then(() => this.waiting.forEach(({ reject }) => reject(new Error(args.at(-1) + ' ended'))));
    this.child.on('error', (error) => this.waiting.forEach(({ reject }) => reject(error)));
    createInterface({ input: this.child.stdout }).on('line', (line) => this.heard(line));
  }

  heard(line) {
    if (!line.startsWith('{')) return;
    const message = JSON.parse(line);
    if (message.method && message.id !== undefined) {
      const error = { code: -32601, message: 'method not found' };
      this.write({ jsonrpc: '2.0', id: message.id, error });
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    message.error ? waiting?.reject(new Error(JSON.stringify(message.error))) : waiting?.resolve(message.result);
  }

  write(message) {
    this.child.stdin.write(JSON.stringify(message) + '\n');
  }

  ask(method, params) {
    const id = ++this.last;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.write({ jsonrpc: '2.0', id, method, params });
    return answer;
  }

  async greet() {
    await this.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  tools() {
    return allTools((params) => this.ask('tools/list', params));
  }

  async close(limit = 10_000) {
    await endProcess(this.child, { limit });
  }
}
