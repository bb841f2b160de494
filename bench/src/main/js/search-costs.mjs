// What tool search costs: memory, the reading of texts on an idle and on a busy machine, and the first search after a start.
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { endProcess, pause, startProcess, until } from './processes.mjs';
import { StdioClient } from './stdio-client.mjs';
import { residentMegabytes } from './usage.mjs';

const LIMIT = 1_800_000;

// Bytes of a stored vector with the key of its text.
const VECTOR = 32 + 4 + 384;

// The number of texts that the sentence model has read and the gateway has stored.
export function stored(folder) {
  const file = join(folder, 'home/cache/vectors');
  return existsSync(file) ? Math.floor(statSync(file).size / VECTOR) : 0;
}

// Reads all tools of a new gateway; returns the milliseconds from the first search on.
export async function reading(folder, config, count) {
  const client = await StdioClient.open(folder, config);
  try {
    await listed(client, count);
    const begun = performance.now();
    await client.discover({ query: 'echo' });
    await until(() => stored(folder) >= count, LIMIT, 50);
    return performance.now() - begun;
  } finally {
    await client.close();
  }
}

export const listed = (client, count) =>
  until(async () => (await client.discover({})).servers.reduce((sum, { toolCount }) => sum + toolCount, 0) >= count, 60_000, 10);

// The action while so many processes want a processor all the time.
export async function beside(count, action) {
  const busy = Array.from({ length: count }, () => startProcess(['sh', '-c', 'while :; do :; done']));
  try {
    return await action();
  } finally {
    await Promise.all(busy.map((process) => endProcess(process, { signal: 'SIGKILL' })));
  }
}

// Milliseconds of the first search after a start with tools from the cache; and until the answer is that of the model.
export async function firstSearch(folder, config, count, query) {
  const client = await StdioClient.open(folder, config);
  try {
    const begun = performance.now();
    await listed(client, count);
    const asked = performance.now();
    await client.discover({ query, limit: 1 });
    const found = performance.now();
    await until(async () => (await client.discover({ query, limit: 1 })).search === 'hybrid', LIMIT, 20);
    return { search: found - asked, listing: asked - begun, model: performance.now() - found };
  } finally {
    await client.close();
  }
}

// Megabytes of the heap and of the process after a garbage collection, once the searches are done.
export async function memory(folder, config, queries) {
  const client = await StdioClient.open(folder, config);
  try {
    await client.ask('tools/list', {});
    // The table is loaded in the background after a start, the model by the first `mcp_discover`.
    await pause(3_000);
    for (const query of queries) await client.discover({ query });
    await pause(2_000);
    const jcmd = (command) => execFileSync(join(process.env.JAVA_HOME, 'bin/jcmd'), [String(client.child.pid), command], { encoding: 'utf8' });
    jcmd('GC.run');
    await pause(1_000);
    const heap = [...jcmd('GC.heap_info').matchAll(/\btotal \d+K, used (\d+)K/g)].reduce((sum, [, used]) => sum + used / 1024, 0);
    return { heap, resident: residentMegabytes(client.child.pid) };
  } finally {
    await client.close();
  }
}
