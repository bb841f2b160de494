// A handshake, all lists, and some calls. Arguments: a target, and calls as [{"name": ..., "arguments": ...}, ...].
import { Peer, pages, report } from './peer.mjs';

const peer = new Peer(JSON.parse(process.argv[2]));
const calls = JSON.parse(process.argv[3]);

await report({
  initialize: () => peer.connect(),
  tools: () => pages(peer, 'listTools'),
  resources: () => (peer.client.getServerCapabilities().resources ? pages(peer, 'listResources') : []),
  prompts: () => (peer.client.getServerCapabilities().prompts ? pages(peer, 'listPrompts') : []),
  calls: async () => {
    const results = [];
    for (const call of calls) {
      results.push(await peer.call(call.name, call.arguments, { onprogress: () => {} }));
    }
    return results;
  },
});
await peer.close();
