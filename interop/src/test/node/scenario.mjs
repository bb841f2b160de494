// The client that the suite's scenarios for clients see is the gateway: this starts one before the server whose address
// is the last argument, and drives it with the official client of the era that is asked for.
//
// Environment: PEERS_GATEWAY has the command of a gateway and the configuration file that it will read; the rest is set
// by the suite.
import { writeFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { MODES, connected } from './era-peer.mjs';

const stateless = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION === '2026-07-28';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const { configuration, command } = JSON.parse(process.env.PEERS_GATEWAY);
writeFileSync(configuration, JSON.stringify({ mcpServers: { peer: { url: process.argv.at(-1) } } }));

async function session() {
  const capabilities = { elicitation: { form: { applyDefaults: true } } };
  const client = new Client({ name: 'scenario', version: '1' }, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: {} }));
  await client.connect(
    new StdioClientTransport({ command: command[0], args: command.slice(1), env: process.env, stderr: 'inherit' }),
  );
  return client;
}

const client = stateless ? await connected({ command, transport: 'stdio' }, MODES.pinned) : await session();
const { tools } = await client.listTools();

const SAMPLES = { number: 2, integer: 2, boolean: true, string: 'x', array: [] };

/** Arguments that fit the tool; a schema that it wants is one that was listed. */
function fitting(tool) {
  const wanted = Object.entries(tool.inputSchema.properties ?? {});
  return Object.fromEntries(
    wanted.map(([name, { type }]) => [name, name === 'schema' ? tools[0].inputSchema : (SAMPLES[type] ?? {})]),
  );
}

// Ten times what a call takes on a busy machine.
const LIMIT = { timeout: 15_000 };

/** The official client for both eras refuses a result without a type. The gateway, which is what is tested, passes it. */
async function call({ name, arguments: given = {} }) {
  try {
    await (stateless
      ? client.callTool({ name, arguments: given }, LIMIT)
      : client.callTool({ name, arguments: given }, undefined, LIMIT));
  } catch (error) {
    if (!error.message.includes('missing required resultType')) throw error;
  }
}

const calls = context.toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: fitting(tool) }));
// The server of this one knows no calls, and only looks whether anybody asks for what a schema points to.
if (process.env.MCP_CONFORMANCE_SCENARIO !== 'json-schema-ref-no-deref') {
  for (const one of calls) await call(one);
}
const { resources, prompts } = client.getServerCapabilities();
if (resources) {
  for (const { uri } of (await client.listResources()).resources) await client.readResource({ uri });
}
if (prompts) {
  for (const { name } of (await client.listPrompts()).prompts) await client.getPrompt({ name });
}
await client.close();
writeFileSync(`${configuration}.done`, '');
process.exit(0);
