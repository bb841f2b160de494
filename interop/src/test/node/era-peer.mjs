// The official client for both eras, with a user who says yes and a model that repeats what it hears.
//
// A target is as for peer.mjs.
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** What a client may be told about the era: it begins with sessions, finds out, or knows. */
export const MODES = { legacy: 'legacy', auto: 'auto', pinned: { pin: '2026-07-28' } };

// A watchdog: nothing here takes this long.
const LIMIT_MS = 90_000;
setTimeout(() => {
  console.error('era-peer: not done in time');
  process.exit(3);
}, LIMIT_MS).unref();

const TRANSPORTS = {
  stdio: (target) =>
    new StdioClientTransport({
      command: target.command[0],
      args: target.command.slice(1),
      env: { ...process.env, ...target.env },
      stderr: 'inherit',
    }),
  http: (target) => new StreamableHTTPClientTransport(new URL(target.url)),
  sse: (target) => new SSEClientTransport(new URL(target.url)),
};

export async function connected(target, mode) {
  const capabilities = { sampling: {}, elicitation: {}, roots: { listChanged: true } };
  const client = new Client({ name: 'eras', version: '1' }, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('sampling/createMessage', async ({ params }) => ({
    role: 'assistant',
    model: 'none',
    content: { type: 'text', text: `heard: ${params.messages[0].content.text}` },
  }));
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ada', ok: true } }));
  client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///somewhere' }] }));
  await client.connect(TRANSPORTS[target.transport](target));
  return client;
}
