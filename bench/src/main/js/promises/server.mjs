// A faulty stdio server with selectable faults, which counts the calls that reach it.
//
// Environment: JOURNAL  a folder; each process writes one file there with the requests that it received
//              SICK     while this file exists, the process ends as soon as it starts
//              STAY     if set, end of input and SIGTERM are ignored
//              VERSION  what `who` returns before the process id
//              MODE     silent: answers nothing but the handshake and lists; deaf: reads nothing after them
//
// The argument `becomes` selects the outcome of a call of any tool: answered, after `ms`; hanging; crash.
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const { JOURNAL, SICK, MODE, STAY, VERSION } = process.env;
const counts = { calls: {}, keys: {}, cancelled: 0, beforeFirstAnswer: 0, answered: 0, atOnce: 0, most: 0 };
const journal = JOURNAL && path.join(JOURNAL, String(process.pid) + '.json');
let changed = true;

function write() {
  if (journal && changed) {
    changed = false;
    // Replaced atomically, so that a reader never sees a part of it.
    fs.writeFileSync(journal + '.new', JSON.stringify(counts));
    fs.renameSync(journal + '.new', journal);
  }
}

write();
if (SICK && fs.existsSync(SICK)) {
  process.exit(1);
}
setInterval(write, 50).unref();

const NAMES = ['echo', 'hang', 'slow', 'err', 'lose', 'crash', 'steps', 'noise', 'who'];
const tools = NAMES.map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const text = (words, isError = false) => ({ content: [{ type: 'text', text: words }], isError });
const past = [];

// Answers once, and records it in the journal.
function reply(id, result) {
  changed = true;
  counts.answered++;
  counts.atOnce--;
  say({ id, result });
}

// The correct response among incorrect ones: of a past call, repeated, with unknown ids.
function noise(id, given) {
  const [late] = past.splice(0, past.length > 20 ? 1 : 0);
  late && say({ id: late.id, result: text(late.nonce) });
  say({ id: id + 10_000_000, result: text('foreign') });
  say({ id: String(id), result: text('foreign') });
  setTimeout(() => {
    reply(id, text(given.nonce));
    say({ id, result: text('twice') });
    past.push({ id, nonce: given.nonce });
  }, given.ms ?? 0);
}

function steps(id, params) {
  const progressToken = params._meta?.progressToken ?? 'none';
  let progress = 0;
  const timer = setInterval(() => say({ method: 'notifications/progress', params: { progressToken, progress: ++progress } }), 100);
  setTimeout(() => clearInterval(timer), 10_000);
}

function called(id, params) {
  const { name, arguments: given = {} } = params;
  changed = true;
  counts.calls[name] = (counts.calls[name] ?? 0) + 1;
  counts.most = Math.max(counts.most, ++counts.atOnce);
  counts.beforeFirstAnswer += counts.answered === 0 ? 1 : 0;
  if (given.key !== undefined) {
    counts.keys[given.key] = (counts.keys[given.key] ?? 0) + 1;
  }
  if (MODE) {
    return;
  }
  switch (given.becomes ?? name) {
    case 'answered':
      return setTimeout(() => reply(id, text('Echo: ' + given.message)), given.ms);
    case 'hanging':
      return undefined;
    case 'echo':
      return reply(id, text('Echo: ' + given.message));
    case 'slow':
      return setTimeout(() => reply(id, text('Echo: ' + given.message)), given.ms);
    case 'err':
      return reply(id, text('it failed', true));
    case 'who':
      return reply(id, text(`${VERSION ?? '-'} ${process.pid}`));
    case 'steps':
      return steps(id, params);
    case 'noise':
      return noise(id, given);
    case 'crash':
      write();
      return process.exit(1);
    default:
      return undefined;
  }
}

function initialized({ id, params }) {
  say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'small', version: '1' } } });
}

function heard(message) {
  switch (message.method) {
    case 'initialize':
      return initialized(message);
    case 'tools/list':
      say({ id: message.id, result: { tools } });
      return MODE === 'deaf' && setTimeout(() => process.stdin.pause(), 20);
    case 'tools/call':
      return called(message.id, message.params);
    case 'ping':
      return MODE ? undefined : say({ id: message.id, result: {} });
    case 'notifications/cancelled':
      changed = true;
      return counts.cancelled++;
    default:
      return message.id === undefined ? undefined : say({ id: message.id, error: { code: -32601, message: 'unknown method' } });
  }
}

createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on('line', (line) => line && heard(JSON.parse(line)))
  .on('close', () => {
    write();
    STAY || process.exit(0);
  });
if (STAY) {
  process.on('SIGTERM', () => {});
}
if (MODE === 'deaf' || STAY) {
  setInterval(() => {}, 60_000);
}
