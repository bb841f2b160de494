// A server that costs next to nothing: echo, a result of any size, a call without an answer. What a gateway adds shows.
import { createInterface } from 'node:readline';

const text = (words) => ({ content: [{ type: 'text', text: words }] });
const tool = (name, properties) => ({ name, description: name, inputSchema: { type: 'object', properties } });
const tools = [
  tool('echo', { message: { type: 'string' } }),
  tool('big', { kb: { type: 'number' } }),
  tool('hang', {}),
];

function result(request) {
  switch (request.method) {
    case 'initialize':
      return {
        protocolVersion: request.params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'echo', version: '1' },
      };
    case 'ping':
      return {};
    case 'tools/list':
      return { tools };
    case 'tools/call':
      return called(request.params.name, request.params.arguments ?? {});
    default:
      return undefined;
  }
}

function called(name, given) {
  switch (name) {
    case 'echo':
      return text('Echo: ' + given.message);
    case 'big':
      return text('x'.repeat(1024 * given.kb));
    default:
      return undefined;
  }
}

function answer(line) {
  const request = JSON.parse(line);
  if (request.id === undefined || (request.method === 'tools/call' && request.params.name === 'hang')) {
    return;
  }
  const found = result(request);
  const rest = found ? { result: found } : { error: { code: -32601, message: 'there is no ' + request.method } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...rest }) + '\n');
}

createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on('line', (line) => line && answer(line))
  .on('close', () => process.exit(0));
