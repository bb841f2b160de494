// A client that starts the servers of a configuration itself, four at a time, keeps them, and writes what tools they
// list on one line: {"server": [tool ...], ...}. Ends with its standard input.
import { readFileSync } from 'node:fs';
import { PipedServer } from './pipe.mjs';

const AT_ONCE = 4;

const { mcpServers } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const left = Object.entries(mcpServers);
const open = [];
const listed = {};

async function startSome() {
  for (let next = left.shift(); next; next = left.shift()) {
    const [name, { command, args, env }] = next;
    // Each is the leader of its own process session, as behind the gateway: Linux schedules processors by sessions.
    const server = new PipedServer(command, args, { env: { ...process.env, ...env }, detached: true });
    open.push(server);
    await server.greet();
    listed[name] = await server.tools();
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, startSome));
process.stdout.write(JSON.stringify(Object.fromEntries(Object.keys(mcpServers).map((name) => [name, listed[name]]))) + '\n');
for await (const _ of process.stdin);
await Promise.all(open.map((server) => server.close(2_000)));
