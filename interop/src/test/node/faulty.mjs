// A server over standard input and output that is no good: of its two tools `crash` kills the process with SIGKILL while
// its answer is half written, and `hang` never answers, nor does anything else from then on. On Node, because it is
// started again and again beside tests of others, and starts cheaply.
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
