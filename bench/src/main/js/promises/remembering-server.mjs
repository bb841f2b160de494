// A server whose tools are named in a file that may change while it runs: one name a line, or the word "fail".
//
// Argument: the file. The file beside it with the extension `.told` has the time of the last tools/list response (epoch ms).
import fs from 'node:fs';
import { createInterface } from 'node:readline';

const file = process.argv[2];
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');

function list(id) {
  const names = fs.readFileSync(file, 'utf8').trim().split('\n');
  if (names[0] === 'fail') {
    return say({ id, error: { code: -32000, message: 'there is no list today' } });
  }
  const tools = names.map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
  // Replaced atomically, since it is read concurrently.
  fs.writeFileSync(file + '.telling', String(Date.now()));
  fs.renameSync(file + '.telling', file + '.told');
  say({ id, result: { tools } });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const capabilities = { tools: { listChanged: true } };
  switch (method) {
    case 'initialize':
      return say({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: 'remembering', version: '1' } } });
    case 'tools/list':
      return list(id);
    case 'tools/call':
      say({ id, result: { content: [{ type: 'text', text: 'done' }] } });
      return params.name === 'change' && say({ method: 'notifications/tools/list_changed' });
    default:
      return id === undefined ? undefined : say({ id, error: { code: -32601, message: 'unknown method' } });
  }
});
