// A scripted stdio server of either era: records executed calls, says who it is, and asks its client.
//
// Arguments: the folder of the home, in which it writes
// Environment: ERA    modern: only 2026-07-28; otherwise only the session era
//              ASKS   the kind of its questions: sampling, elicitation or roots
//              TOKEN  what `who` says
//
// Tools: write {key, ms}  records the key in the file `executed`, and answers after `ms`
//        who {key}        says its token, its process id and the key
//        ask {key}        asks its client, and answers with what the client answered
//        late {key}       answers, and asks a moment later
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const [folder] = process.argv.slice(2);
const { ERA, ASKS, TOKEN } = process.env;
const executed = path.join(folder, 'executed');
const LATE_MILLIS = 5;
const serverInfo = { name: 'scripted', version: '1' };
const tools = ['write', 'who', 'ask', 'late'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
const waiting = new Map();
let asked = 0;

fs.appendFileSync(path.join(folder, 'starts'), `${ASKS ?? ERA ?? 'legacy'} ${TOKEN ?? '-'} ${process.pid}\n`);

const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const complete = ERA === 'modern' ? { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } } : {};
const list = ERA === 'modern' ? { ttlMs: 0, cacheScope: 'private' } : {};
const text = (words) => ({ ...complete, content: [{ type: 'text', text: words }] });

// A request that names the call it belongs to. That for roots has no room for it but `_meta`.
function question(key) {
  switch (ASKS) {
    case 'sampling':
      return {
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: key } }], maxTokens: 1 },
      };
    case 'elicitation':
      return { method: 'elicitation/create', params: { message: key, requestedSchema: { type: 'object', properties: {} } } };
    default:
      return { method: 'roots/list', params: { _meta: { 'bench/key': key } } };
  }
}

function ask(key, then) {
  const id = 'q' + ++asked;
  waiting.set(id, then);
  say({ id, ...question(key) });
}

function called(id, { name, arguments: given = {} }) {
  const key = given.key ?? '';
  switch (name) {
    case 'write':
      fs.appendFileSync(executed, `${key} ${process.pid}\n`);
      return setTimeout(() => say({ id, result: text(key) }), given.ms ?? 0);
    case 'who':
      return say({ id, result: text(`${TOKEN ?? '-'} ${process.pid} ${key}`) });
    case 'ask':
      return ask(key, (answer) => say({ id, result: text(JSON.stringify(answer)) }));
    case 'late':
      setTimeout(() => ask(key, () => {}), LATE_MILLIS);
      return say({ id, result: text(key) });
    default:
      return say({ id, error: { code: -32602, message: 'unknown tool ' + name } });
  }
}

function heard({ id, method, params, result, error }) {
  if (method === undefined) {
    waiting.get(id)?.(result ?? { error });
    return waiting.delete(id);
  }
  if (id === undefined) {
    return undefined;
  }
  switch (method) {
    case ERA === 'modern' ? 'server/discover' : 'initialize':
      return say({ id, result: ERA === 'modern' ? discovered() : initialized(params) });
    case 'tools/list':
      return say({ id, result: { ...complete, ...list, tools } });
    case 'tools/call':
      return called(id, params);
    case 'ping':
      return say({ id, result: {} });
    default:
      return say({ id, error: { code: -32601, message: 'unknown method' } });
  }
}

const discovered = () => ({ ...complete, ...list, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
const initialized = ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo });

createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on('line', (line) => line && heard(JSON.parse(line)))
  .on('close', () => process.exit(0));
