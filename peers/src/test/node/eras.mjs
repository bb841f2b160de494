// The official client for both eras makes the same small journey in each of its modes. The argument is a target as for
// peer.mjs.
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const MODES = { legacy: 'legacy', auto: 'auto', pinned: { pin: '2026-07-28' } };

// Nothing here takes long: whoever is still at it by now waits for something that never comes.
const LIMIT_MS = 90_000;
setTimeout(() => {
  console.error('eras: not done in time');
  process.exit(3);
}, LIMIT_MS).unref();

const target = JSON.parse(process.argv[2]);

const TRANSPORTS = {
  stdio: () =>
    new StdioClientTransport({
      command: target.command[0],
      args: target.command.slice(1),
      env: { ...process.env, ...target.env },
      stderr: 'inherit',
    }),
  http: () => new StreamableHTTPClientTransport(new URL(target.url)),
  sse: () => new SSEClientTransport(new URL(target.url)),
};

// The steps as they come in. The client hands on each a little later than an answer, and no more of a call that is
// answered: a step that comes together with the answer does not reach onprogress.
function heardSteps(line) {
  const steps = [];
  const hear = line.onmessage;
  line.onmessage = (message, extra) => {
    if (message.method === 'notifications/progress') steps.push(message.params.progress);
    hear(message, extra);
  };
  return steps;
}

async function journey(mode) {
  const capabilities = { sampling: {}, elicitation: {}, roots: { listChanged: true } };
  const client = new Client({ name: 'eras', version: '1' }, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('sampling/createMessage', async ({ params }) => ({
    role: 'assistant',
    model: 'none',
    content: { type: 'text', text: `heard: ${params.messages[0].content.text}` },
  }));
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ada', ok: true } }));
  client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///somewhere' }] }));
  await client.connect(TRANSPORTS[target.transport]());
  const steps = heardSteps(client.transport);
  const call = async (name, args = {}, options = undefined) =>
    (await client.callTool({ name, arguments: args }, options)).content.map((one) => one.text).join(' | ');
  const seen = {
    era: client.getProtocolEra(),
    server: client.getServerVersion()?.name,
    tools: (await client.listTools()).tools.length,
    prompts: (await client.listPrompts()).prompts.length,
    resource: (await client.readResource({ uri: 'test://static-text' })).contents[0].text,
    echo: await call('echo', { text: 'Grüße 🌍' }),
    progress: await call('test_tool_with_progress', {}, { onprogress: () => {} }),
    steps,
    elicitation: await call('test_input_required_result_elicitation'),
    sampling: await call('test_sampling', { prompt: 'What is new?' }),
    roots: await call('roots'),
    three: await call('test_input_required_result_multiple_inputs'),
    failure: (await client.callTool({ name: 'fail', arguments: { text: 'broken' } })).isError,
  };
  await client.close();
  return seen;
}

const all = {};
for (const [name, mode] of Object.entries(MODES)) {
  try {
    all[name] = await journey(mode);
  } catch (error) {
    all[name] = { failed: String(error) };
  }
}
process.stdout.write(`${JSON.stringify(all)}\n`);
process.exit(0);
