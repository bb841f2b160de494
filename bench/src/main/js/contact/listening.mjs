// The gateway over HTTP, and its client of the stateless era.
import { endProcess, output, startProcess } from '../processes.mjs';
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
    this.child = startProcess([command, ...args, '--transport', 'http', '--port', '0'], { stdio, ...options });
  }

  // Waits until it listens.
  async greet() {
    [, this.url] = await output(this.child, /serving on (http:\S+)/);
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

  close() {
    return endProcess(this.child, { signal: 'SIGTERM', limit: 30_000 });
  }
}
