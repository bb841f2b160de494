// The tools and some calls, as a client of the stateless era sees them. Arguments as for calls.mjs.
import { MODES, connected } from './era-peer.mjs';

const calls = JSON.parse(process.argv[3]);
const client = await connected(JSON.parse(process.argv[2]), MODES.pinned);
const seen = {
  era: client.getProtocolEra(),
  tools: (await client.listTools()).tools.map((tool) => tool.name),
  calls: [],
};
for (const call of calls) {
  const { content, structuredContent } = await client.callTool({ name: call.name, arguments: call.arguments });
  seen.calls.push({ content, structuredContent });
}
await client.close();
process.stdout.write(`${JSON.stringify(seen)}\n`);
process.exit(0);
