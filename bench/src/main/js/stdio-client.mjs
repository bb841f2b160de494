// The built application over stdio, as a client starts it, with a home of its own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endProcess, launch, startProcess } from './processes.mjs';

const LIMIT = 60_000;

export class StdioClient {
  // The folder has the configuration and the gateway's state.
  static async open(folder, config) {
    const client = new this(folder, config);
    const clientInfo = { name: 'bench', version: '1' };
    await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    client.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return client;
  }

  constructor(folder, config) {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'config.json');
    writeFileSync(file, JSON.stringify(config));
    this.child = startProcess([...launch, 'serve', '--share', 'off', '--config', file], {
      env: { ...process.env, FUSEBOX_HOME: join(folder, 'home'), FUSEBOX_ALLOW_INSPECTION: 'yes' },
    });
    this.waiting = new Map();
    this.last = 0;
    createInterface({ input: this.child.stdout }).on('line', (line) => this.heard(JSON.parse(line)));
  }

  heard(message) {
    this.waiting.get(message.id)?.(message);
    this.waiting.delete(message.id);
  }

  ask(method, params) {
    const id = ++this.last;
    this.child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\n');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} was not answered within ${LIMIT} ms`)), LIMIT);
      this.waiting.set(id, (message) => {
        clearTimeout(timer);
        message.result ? resolve(message.result) : reject(new Error(JSON.stringify(message.error)));
      });
    });
  }

  async own(name, given) {
    const result = await this.ask('tools/call', { name, arguments: given });
    if (result.isError) throw new Error(JSON.stringify(result));
    return result;
  }

  async discover(given) {
    return (await this.own('mcp_discover', given)).structuredContent;
  }

  mcp(server, tool, args) {
    return this.own('mcp_call', { server, tool, args });
  }

  close() {
    return endProcess(this.child, { limit: LIMIT });
  }
}
