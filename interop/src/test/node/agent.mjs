// A script of an agent that sees only the gateway's own tools: it finds and calls a tool, runs several calls as a
// script, and adds a missing server. All names and schemas come from the gateway. The argument is a target.
import { Peer, pages, report } from './peer.mjs';

const peer = new Peer(JSON.parse(process.argv[2]));

/** What a tool of the gateway's own says. */
async function ask(name, args) {
  const result = await peer.call(name, args);
  if (result.isError || result.error) throw new Error(JSON.stringify(result));
  return result.structuredContent ?? result;
}

/** The best tool for something, once the servers have said what they have. */
async function found(query, name) {
  for (let attempt = 0; attempt < 600; attempt++) {
    const { tools } = await ask('mcp_discover', { query });
    const best = tools.slice(0, 3).find(({ tool }) => tool === name);
    if (best) return best;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${name} is not among the best for: ${query}`);
}

const EVERYTHING = 'exercise all the features of the MCP protocol';

await report({
  initialize: () => peer.connect(),
  tools: async () => (await pages(peer, 'listTools')).flatMap((page) => page.tools.map((tool) => tool.name)),
  discovered: () => found('create entities in a knowledge graph', 'create_entities'),
  called: async () => {
    const { server, tool, inputSchema } = await found('create entities in a knowledge graph', 'create_entities');
    const [list] = Object.keys(inputSchema.properties);
    const args = { [list]: [{ name: 'Fuse', entityType: 'part', observations: ['melts'] }] };
    return ask('mcp_call', { server, tool, args });
  },
  executed: () =>
    ask('mcp_execute', {
      code: `
        const names = ['Wire', 'Lamp', 'Switch'];
        await Promise.all(names.map((name) => servers.thoughts.sequentialthinking(
          { thought: name, nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 })));
        const graph = await servers.memory.read_graph({});
        return graph.entities.map((one) => one.name + ' ' + one.observations);`,
    }),
  refused: () => peer.call('mcp_call', { server: 'everything', tool: 'echo', args: { message: 'too early' } }),
  offered: () => ask('mcp_provision', { intent: EVERYTHING }),
  provisioned: () => ask('mcp_provision', { intent: EVERYTHING, autoProvision: true }),
  used: async () => {
    const { server, tool } = await found('sum of two numbers', 'get-sum');
    return ask('mcp_call', { server, tool, args: { a: 2, b: 40 } });
  },
});
await peer.close();
