// A stdio server that fails on request, and writes a journal of its actions.
//
//   node faulty.mjs JOURNAL DOWN     while a file DOWN exists, it exits 300 ms after its start
//
// Every start, call and cancellation is a line of the journal, written before anything else happens.
import fs from 'node:fs';
import { createInterface } from 'node:readline';

const DYING = 300;
// Ends processes that a gateway has leaked, even if they are frozen.
const LIFETIME = 10 * 60_000;
const [journal, down] = process.argv.slice(2);

const note = (what) => fs.appendFileSync(journal, JSON.stringify({ at: Date.now(), pid: process.pid, ...what }) + '\n');
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const running = new Map();

const string = { type: 'string' };
const number = { type: 'integer' };
const tool = (name, properties, more) => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties, required: Object.keys(properties) },
  ...more,
});
const tools = [
  tool('echo', { message: string }),
  tool('slow', { ms: number, message: string }),
  tool('exact', { n: number }),
  tool('chatter', { message: string }),
  tool('crash', {}),
  tool('lose', { token: string }),
  tool('look', { token: string }, { annotations: { readOnlyHint: true } }),
  tool('hang', {}),
  tool('freeze', {}),
];

// name -> function; its return value is the result, and undefined means no response.
const work = {
  echo: ({ message }) => text('Echo: ' + message),
  slow: ({ ms, message }, id) => {
    const answer = () => running.delete(id) && send({ id, result: text('Echo: ' + message) });
    running.set(id, setTimeout(answer, ms));
  },
  exact: ({ n }, id) => {
    if (!Number.isInteger(n)) {
      send({ id, error: { code: -32602, message: 'n must be an integer' } });
      return undefined;
    }
    return text('n is ' + n);
  },
  chatter: ({ message }) => {
    process.stdout.write('a line that is not a message\n');
    return text('Echo: ' + message);
  },
  crash: () => process.exit(1),
  lose: dieOnce,
  look: dieOnce,
  hang: () => undefined,
  freeze: () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LIFETIME);
    process.exit(1);
  },
};

// The work is done and recorded, the response is lost; a repeated call does the work again and is answered.
function dieOnce({ token }) {
  const times = fs.readFileSync(journal, 'utf8').split('\n').filter((line) => line.includes(token)).length;
  return times > 1 ? text('Echo: ' + token) : process.exit(1);
}

function resultOf({ id, method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'faulty', version: '1' },
      };
    case 'ping':
      return {};
    case 'tools/list':
      return { tools };
    default:
      return work[params.name](params.arguments ?? {}, id);
  }
}

function heard(message) {
  const { id, method, params } = message;
  if (method === 'notifications/cancelled') {
    note({ what: 'cancelled', id: params?.requestId });
    clearTimeout(running.get(params?.requestId));
    running.delete(params?.requestId);
  } else if (method === 'tools/call' && Object.hasOwn(work, params.name)) {
    note({ what: 'call', tool: params.name, id, given: params.arguments });
    answer(message);
  } else if (['initialize', 'ping', 'tools/list'].includes(method)) {
    answer(message);
  } else if (id !== undefined && method) {
    send({ id, error: { code: -32601, message: 'there is no ' + method } });
  }
}

function answer(message) {
  const result = resultOf(message);
  result && send({ id: message.id, result });
}

note({ what: 'start' });
setTimeout(() => process.exit(1), LIFETIME).unref();
if (fs.existsSync(down)) {
  setTimeout(() => process.exit(1), DYING);
} else {
  createInterface({ input: process.stdin, crlfDelay: Infinity })
    .on('line', (line) => line && heard(JSON.parse(line)))
    .on('close', () => process.exit(0));
}
