// Benchmark of the tool search and of its effect on concurrent calls: the built application over stdio.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { pause, until } from './processes.mjs';
import { beside, firstSearch, listed, memory, reading, stored } from './search-costs.mjs';
import { StdioClient } from './stdio-client.mjs';
import { tools as list } from './tool-list.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const quick = process.argv.includes('--quick');
const TOOLS = quick ? 500 : 5000;
const data = join(here, '../../../../search/src/test/resources/dev/fusebox/search/questions.tsv');
const questions = readFileSync(data, 'utf8').trim().split('\n').map((line) => line.split('\t')[0]);

const figures = [];
const told = (what, value, goal, unit) => {
  figures.push({ what, value, goal, unit, isMet: goal === null ? null : value <= goal });
  console.error(`    ${what}: ${value.toFixed(1)} ${unit}`);
};
const at = (times, share) => times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))];
const tools = (many, first = 0, keys = {}) => ({ command: process.execPath, args: [join(here, 'tools.mjs'), String(many), String(first)], era: 'legacy', ...keys });

async function timed(action) {
  const begun = performance.now();
  const value = await action();
  return [performance.now() - begun, value];
}

// An open-loop load of echo calls at a fixed rate.
async function echoes(client, rate, is) {
  const begun = performance.now();
  const calls = [];
  for (let i = 0; is(performance.now() - begun); i++) {
    const due = begun + (i * 1000) / rate;
    if (due > performance.now()) await pause(due - performance.now());
    calls.push(client.mcp('echo', 'echo', { message: 'm' }).then(() => performance.now() - due));
  }
  return Promise.all(calls);
}

// ---- One server with many tools

async function many(folder) {
  const config = { mcpServers: { many: tools(TOOLS), echo: tools(1) } };
  await firstRun(folder, config);
  const { search, listing, model } = await firstSearch(folder, config, TOOLS, questions[0]);
  told(`first search of ${TOOLS} tools after a start`, search, 100, 'ms');
  told('waiting for the list before it', listing, null, 'ms');
  told('until the model takes part again', model, null, 'ms');
  const off = await memory(folder, { ...config, discovery: { semantic: 'off' } }, []);
  const table = await memory(folder, config, []);
  const all = await memory(folder, config, questions.slice(0, 100));
  told('process that searches by words only', off.resident, null, 'MB');
  told('more with the table', table.resident - off.resident, 20, 'MB');
  told('of that in the heap', table.heap - off.heap, null, 'MB');
  told('more with table and model, after 100 searches', all.resident - off.resident, 100, 'MB');
  told('of that in the heap', all.heap - off.heap, null, 'MB');
}

async function firstRun(folder, config) {
  const client = await StdioClient.open(folder, config);
  try {
    await listed(client, TOOLS);
    const known = await until(async () => (await client.discover({ query: questions[0] })).tools.length > 0, 30_000, 5);
    told(`until ${TOOLS} listed tools are found by the table`, known, 1_000, 'ms');
    await client.mcp('echo', 'echo', { message: 'm' });
    let isRead = false;
    const [spent, during] = await timed(async () => {
      const calls = echoes(client, 50, () => !isRead);
      await until(() => stored(folder) >= TOOLS, 1_800_000, 200);
      isRead = true;
      return calls;
    });
    told(`until the model has read ${TOOLS} tools`, spent / 1000, quick ? null : 180, 's');
    const before = await echoes(client, 50, (millis) => millis < (quick ? 5_000 : 20_000));
    told('p99 of an echo meanwhile', at(during, 0.99), null, 'ms');
    told('p99 of an echo otherwise', at(before, 0.99), null, 'ms');
    told('difference', at(during, 0.99) - at(before, 0.99), 5, 'ms');
    for (let i = 0; i < 200; i++) await client.discover({ query: questions[i % questions.length] });
    const queries = [];
    for (let i = 0; i < 500; i++) {
      const [millis] = await timed(() => client.discover({ query: questions[i % questions.length], detail: 'brief' }));
      queries.push(millis);
    }
    told(`warm search of ${TOOLS} tools, p50`, at(queries, 0.5), 8, 'ms');
    told('p99', at(queries, 0.99), 25, 'ms');
  } finally {
    await client.close();
  }
}

// ---- Reading on a busy machine

const BUSY = 9;
const FEW = 300;

async function busy(folder) {
  const config = { mcpServers: { few: tools(FEW) } };
  const idle = await reading(join(folder, 'idle'), config, FEW);
  told(`until the model has read ${FEW} tools`, idle / 1000, null, 's');
  const loaded = await beside(BUSY, () => reading(join(folder, 'busy'), config, FEW));
  told(`the same beside ${BUSY} busy processes`, loaded / 1000, null, 's');
  told('times as long', loaded / idle, 4, '');
}

// ---- Fifty servers, twenty of them failing (P19), and their cached tools (P21)

const sick = Object.fromEntries([
  ...Array.from({ length: 10 }, (_, i) => ['mute' + i, { command: 'sleep', args: ['1000'] }]),
  ...Array.from({ length: 10 }, (_, i) => ['dead' + i, { command: 'sh', args: ['-c', 'exit 3'] }]),
]);
const well = (count, each) => Object.fromEntries(Array.from({ length: count }, (_, i) => ['well' + i, each(i)]));

// A server that starts fast, so that the gateway dominates the measured time.
function quickly(folder, i) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'tools' + i);
  writeFileSync(file, JSON.stringify(list(10, i * 10)) + '\n');
  return { command: 'sh', args: [join(here, 'quick-tools.sh'), file], era: 'legacy' };
}

async function fifty(folder, each, goal, words) {
  const config = { mcpServers: { ...well(30, each), ...sick }, pool: { poolSize: 64, startsAtOnce: 16 }, discovery: { firstListWaitMs: 800 } };
  const first = await StdioClient.open(folder, config);
  try {
    const [spent, { servers: seen }] = await timed(() => first.discover({}));
    told('first mcp_discover with 50 servers, 10 hanging and 10 crashing' + words, spent, goal, 'ms');
    const missing = 30 - seen.filter((server) => server.toolCount > 0).length;
    told('healthy servers without tools in that answer', missing, goal && 0, '');
    const explained = new Set(seen.filter((server) => server.name in sick && server.status !== 'online' && server.statusMessage).map((server) => server.name));
    told('failed servers without a reason in that answer', Object.keys(sick).filter((name) => !explained.has(name)).length, 0, '');
    await until(async () => (await first.discover({})).servers.filter((server) => server.toolCount > 0).length === 30, 60_000, 200);
    const { servers } = await first.discover({});
    told('healthy servers without tools at the end', 30 - servers.filter((server) => server.toolCount > 0).length, 0, '');
  } finally {
    await first.close();
  }
  return config;
}

async function remembered(folder, config, count, words) {
  const client = await StdioClient.open(folder, { ...config, mcpServers: Object.fromEntries(Object.entries(config.mcpServers).filter(([name]) => name.startsWith('well'))) });
  try {
    const [first, answer] = await timed(() => client.discover({ query: 'search the web', limit: 100 }));
    told('first search after the handshake, ' + words, first, null, 'ms');
    const spent = [];
    for (let i = 0; i < 20; i++) spent.push((await timed(() => client.discover({ query: 'search the web' })))[0]);
    told('slowest of the next twenty', Math.max(...spent), 50, 'ms');
    const live = (await client.discover({})).servers.filter((server) => server.status !== 'idle').length;
    told('servers started by these searches', live, 0, '');
    if (answer.tools.some((tool) => tool.schemaSource === 'live')) throw new Error('not all tools are from the cache');
    if (new Set(answer.tools.map((tool) => tool.server)).size === 0) throw new Error('no tool found of ' + count);
  } finally {
    await client.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'fusebox-search-'));
try {
  await fifty(join(folder, 'node'), (i) => tools(10, i * 10), null, ', healthy ones started with Node');
  const quick = join(folder, 'quick');
  const config = await fifty(quick, (i) => quickly(quick, i), 1000, '');
  await remembered(quick, config, 30, 'of 50 servers, from the cache');
  await many(join(folder, 'many'));
  await busy(join(folder, 'busy'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${new Date().toISOString().slice(0, 10)}; ${os.type()} ${os.arch()}, ${os.cpus().length} processors, ${os.loadavg()[0].toFixed(1)} runnable processes at the end; Node ${process.versions.node}.\n`);
console.log('| | measured | goal | |\n|---|---|---|---|');
for (const { what, value, goal, unit, isMet } of figures) {
  const verdict = isMet === null ? 'reported' : isMet ? 'met' : '**missed**';
  console.log(`| ${what} | ${value.toFixed(1)} ${unit} | ${goal === null ? '-' : `${goal} ${unit}`} | ${verdict} |`.replace(/ +/g, ' '));
}
process.exitCode = figures.some((figure) => figure.isMet === false) ? 1 : 0;
