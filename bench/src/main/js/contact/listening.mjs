// The gateway over HTTP, and its client of the stateless era.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { allTools } from './pages.mjs';

const VERSION = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
};

export class ListeningGateway {
  constructor(command, args, options) {
    const stdio = ['ignore', 'pipe', 'pipe'];
    this.child = spawn(command, [...args, '--transport', 'http', '--port', '0'], { stdio, ...options });
    this.gone = once(this.child, 'exit');
    this.said = '';
  }

  // Until it listens.
  async greet() {
    this.url = await new Promise((resolve, reject) => {
      const heard = (bytes) => {
        this.said += bytes;
        const found = /serving on (http:\S+)/.exec(this.said);
        if (found) resolve(found[1]);
      };
      this.child.stdout.on('data', heard);
      this.child.stderr.on('data', heard);
      this.gone.then(() => reject(new Error('the gateway ended: ' + this.said)));
    });
  }

  async ask(method, params) {
    const answer = await fetch(this.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': VERSION,
        'Mcp-Method': method,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
    });
    const text = await answer.text();
    const data = text.startsWith('{') ? text : text.slice(text.lastIndexOf('data:') + 5);
    const { result, error } = JSON.parse(data);
    if (error) throw new Error(JSON.stringify(error));
    return result;
  }

  tools() {
    return allTools((params) => this.ask('tools/list', params));
  }

  async close() {
    this.child.kill('SIGTERM');
    await this.gone;
  }
}
