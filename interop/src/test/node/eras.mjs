// The official client for both eras makes the same small journey in each of its modes. The argument is a target as for
// peer.mjs; a second one stands before the names of all tools.
import { MODES, connected } from './era-peer.mjs';

const target = JSON.parse(process.argv[2]);
const prefix = process.argv[3] ?? '';

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
  const client = await connected(target, mode);
  const steps = heardSteps(client.transport);
  const call = async (name, args = {}, options = undefined) =>
    (await client.callTool({ name: prefix + name, arguments: args }, options)).content.map((one) => one.text).join(' | ');
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
    failure: (await client.callTool({ name: `${prefix}fail`, arguments: { text: 'broken' } })).isError,
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
