// The responses of both echo servers, which are as cheap as possible, so that the gateway's overhead is visible.
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

// The response to a request; undefined for notifications.
export function answer(request, resultOf = result) {
  if (request.id === undefined || (request.method === 'tools/call' && request.params.name === 'hang')) {
    return undefined;
  }
  const found = resultOf(request);
  const rest = found ? { result: found } : { error: { code: -32601, message: 'there is no ' + request.method } };
  return JSON.stringify({ jsonrpc: '2.0', id: request.id, ...rest });
}

// The same in the stateless era (2026-07-28), whose results have more fields.
export function statelessAnswer(request) {
  return answer(request, () => {
    const complete = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'echo', version: '1' } } };
    switch (request.method) {
      case 'server/discover':
        return { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' };
      case 'tools/list':
        return { ...complete, tools, ttlMs: 0, cacheScope: 'private' };
      case 'tools/call':
        return { ...complete, ...result(request) };
      default:
        return undefined;
    }
  });
}
