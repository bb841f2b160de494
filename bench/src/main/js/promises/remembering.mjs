// P21: the catalog cache: how soon tools are available, and how it is refreshed.
import fs from 'node:fs';
import path from 'node:path';
import { pause, until } from '../processes.mjs';
import { StdioClient } from '../stdio-client.mjs';
import { newFolder } from './gateway.mjs';

const here = path.dirname(new URL(import.meta.url).pathname);
const worst = (millis) => Math.max(...millis);
const offering = (many, first) => ({ command: process.execPath, args: [path.join(here, '../tools.mjs'), String(many), String(first)], era: 'legacy' });
const crowd = (servers, each) => Object.fromEntries(Array.from({ length: servers }, (_, i) => ['s' + i, offering(each, i * each)]));

async function timed(action) {
  const begun = performance.now();
  await action();
  return performance.now() - begun;
}

const knows = async (client, servers, each) => (await client.discover({})).servers.filter(({ toolCount }) => toolCount === each).length === servers;

// From the answer to `initialize` until all tools are known, the first search after that, which waits until they can be searched,
// and the worst of the next twenty.
async function remembered(servers, each) {
  const folder = newFolder();
  const config = { mcpServers: crowd(servers, each), pool: { poolSize: 16 } };
  const first = await StdioClient.open(folder, config);
  await until(() => knows(first, servers, each), 600_000, 1000);
  await first.close();
  const again = await StdioClient.open(folder, config);
  try {
    const loaded = await until(() => knows(again, servers, each), 60_000);
    const search = () => timed(() => again.discover({ query: 'search the web', detail: 'brief' }));
    const first = await search();
    const searches = [];
    for (let i = 0; i < 20; i++) searches.push(await search());
    const started = (await again.discover({})).servers.filter(({ status }) => status !== 'idle').length;
    return { loaded, first, search: worst(searches), started };
  } finally {
    await again.close();
  }
}

// The time until a changed list is shown, and whether an unreadable list removes tools.
async function replaced(rounds) {
  const folder = newFolder();
  const file = path.join(folder, 'tools');
  fs.writeFileSync(file, 'change\nold');
  const config = { mcpServers: { far: { command: process.execPath, args: [path.join(here, 'remembering-server.mjs'), file], era: 'legacy' } } };
  const shows = async (client, tool) => (await client.discover({ query: tool, server: 'far', limit: 100 })).tools.some((found) => found.tool === tool);
  const late = [];
  for (let i = 0; i < rounds; i++) {
    const client = await StdioClient.open(folder, config);
    try {
      const before = i === 0 ? 'old' : 'new' + (i - 1);
      await until(() => shows(client, before), 30_000);
      fs.writeFileSync(file, 'change\nnew' + i);
      await client.mcp('far', 'change', {});
      await until(() => shows(client, 'new' + i), 30_000, 1);
      late.push(Date.now() - Number(fs.readFileSync(file + '.told', 'utf8')));
    } finally {
      await client.close();
    }
  }
  const client = await StdioClient.open(folder, config);
  try {
    fs.writeFileSync(file, 'fail');
    await client.mcp('far', 'change', {});
    await pause(2_000);
    return { late: worst(late), kept: await shows(client, 'new' + (rounds - 1)) };
  } finally {
    await client.close();
  }
}

export async function p21(quick) {
  const [few, many] = [await remembered(50, 10), await remembered(quick ? 60 : 200, 50)];
  const { late, kept } = await replaced(quick ? 3 : 10);
  return {
    figures: [
      ['50 servers of 10 tools, from the handshake until all are known', few.loaded, 100, few.loaded <= 100, 'ms'],
      [`${quick ? 60 : 200} servers of 50 tools`, many.loaded, 1000, many.loaded <= 1000, 'ms'],
      ['until the first search of the 500 is answered, which waits until they can be searched', few.loaded + few.first, 100, few.loaded + few.first <= 100, 'ms'],
      [`of the ${quick ? 3000 : 10_000}`, many.loaded + many.first, 1000, many.loaded + many.first <= 1000, 'ms'],
      ['of that the first search itself, of 500', few.first, '-', null, 'ms'],
      [`of ${quick ? 3000 : 10_000}`, many.first, '-', null, 'ms'],
      ['the worst of the next twenty searches of 500 tools', few.search, 50, few.search <= 50, 'ms'],
      [`of ${quick ? 3000 : 10_000} tools`, many.search, 50, many.search <= 50, 'ms'],
      ['servers that were started for all that', few.started + many.started, 0, few.started + many.started === 0],
      ['a list that has arrived is shown, the worst', late, 100, late <= 100, 'ms'],
      ['tools that a list which could not be read took away', kept ? 0 : 1, 0, kept],
    ],
    notes: 'over stdio, by mcp_discover alone; times contain that of the question that found out',
  };
}
