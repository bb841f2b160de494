// A faulty stdio server with two tools: `crash` kills the process with SIGKILL in the middle of its response, and
// `hang` never answers, nor does any later call. It uses Node, because it is restarted often beside other tests and
// starts cheaply.
import { createInterface } from 'node:readline';

let hangs = false;

function say(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function call(tool) {
  if (tool === 'crash') {
    process.stdout.write('{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"half of', () =>
      process.kill(process.pid, 'SIGKILL'),
    );
  } else {
    hangs = true;
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (hangs || id === undefined) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'faulty', version: '1' };
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/call') {
    call(params.name);
  } else {
    say({ id, error: { code: -32601, message: `no ${method}` } });
  }
});
