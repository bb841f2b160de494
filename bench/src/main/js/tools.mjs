// A stdio server with the requested number of tools. The tool `echo` returns its arguments.
//
// Arguments: the number of tools, and the index of the first one in the list
import { createInterface } from 'node:readline';
import { tools } from './tool-list.mjs';

const [many, first] = process.argv.slice(2).map(Number);
const offered = tools(many, first);
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  switch (method) {
    case 'initialize':
      return say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'tools', version: '1' } } });
    case 'tools/list':
      return say({ id, result: { tools: offered } });
    case 'tools/call':
      return say({ id, result: { content: [{ type: 'text', text: String(params.arguments?.message) }] } });
    default:
      return id === undefined ? undefined : say({ id, error: { code: -32601, message: 'unknown method' } });
  }
});
