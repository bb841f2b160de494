// Benchmark of scripts and of their effect on concurrent calls: the built application over stdio before an echo server.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { pause } from './processes.mjs';
import { StdioClient } from './stdio-client.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const quick = process.argv.includes('--quick');

const HOSTILE = [
  'while (true);',
  'const f = () => Promise.resolve().then(f); await f()',
  'const all = []; for (;;) all.push(new Array(1e4).fill(all.length))',
  'for (;;) console.log("x".repeat(1000))',
  "/(x+x+)+(?=y)\\1z/.test('x'.repeat(40))",
  'for (;;) await Promise.all([servers.echo.echo({ message: "m" }), sleep(0)])',
];

// A client that runs scripts.
class Client extends StdioClient {
  echo() {
    return this.mcp('echo', 'echo', { message: 'm' });
  }

  run(code, timeoutMs = 30_000) {
    return this.ask('tools/call', { name: 'mcp_execute', arguments: { code, timeoutMs } });
  }

  // The duration of one run, which must succeed.
  async timed(code) {
    const begun = performance.now();
    const result = await this.run(code);
    if (result.isError) throw new Error(JSON.stringify(result));
    return performance.now() - begun;
  }
}

const at = (times, share) => times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))];

async function repeated(times, action) {
  const spent = [];
  for (let i = 0; i < times; i++) {
    const begun = performance.now();
    await action();
    spent.push(performance.now() - begun);
    // The worker cleans up after a script before it takes the next one.
    await pause(20);
  }
  return spent;
}

// The number of processes of the gateway, and its used heap in MB after a full collection.
function holdings(client) {
  const pid = String(client.child.pid);
  const ask = (program, ...words) => execFileSync(program, words, { encoding: 'utf8' });
  const jcmd = join(process.env.JAVA_HOME, 'bin/jcmd');
  ask(jcmd, pid, 'GC.run');
  const used = [...ask(jcmd, pid, 'GC.heap_info').matchAll(/\btotal \d+K, used (\d+)K/g)];
  const processes = ask('ps', '-o', 'pid=', '--ppid', pid).trim().split('\n').length;
  return { processes, heap: used.reduce((sum, match) => sum + Number(match[1]), 0) / 1024 };
}

// Its resources as soon as it has no more processes than before.
async function back(client, before) {
  let now = holdings(client);
  for (const until = performance.now() + 20_000; now.processes > before.processes && performance.now() < until; now = holdings(client)) {
    await pause(500);
  }
  return now;
}

// An open-loop load of echo calls at a fixed rate.
async function openLoop(client, rate, seconds) {
  const begun = performance.now();
  const calls = [];
  for (let i = 0; i < rate * seconds; i++) {
    const due = begun + (i * 1000) / rate;
    if (due > performance.now()) await pause(due - performance.now());
    calls.push(client.echo().then(() => performance.now() - due));
  }
  return Promise.all(calls);
}

// Malicious scripts, two at a time, until stopped.
function harm(client) {
  const control = { runs: 0, over: false };
  const loop = async (from) => {
    for (let i = from; !control.over; i++, control.runs++) await client.run(HOSTILE[i % HOSTILE.length], 2_000);
  };
  control.done = Promise.all([loop(0), loop(3)]);
  return control;
}

const folder = mkdtempSync(join(tmpdir(), 'fusebox-sandbox-'));
const echo = { command: process.execPath, args: [join(here, 'echo.mjs')] };
const client = await Client.open(folder, { mcpServers: { echo }, execute: { memoryMb: 64 } });
try {
  await repeated(quick ? 200 : 2_000, () => client.echo());
  const cold = await client.timed('1');
  await repeated(30, () => client.run('1'));
  const times = quick ? 50 : 300;
  const warm = await repeated(times, () => client.run('1'));
  const call = await repeated(times, () => client.echo());
  const script = await repeated(times, () => client.run("await servers.echo.echo({ message: 'm' })"));
  const seconds = quick ? 5 : 20;
  const quiet = await openLoop(client, 100, seconds);
  const before = holdings(client);
  const control = harm(client);
  const disturbed = await openLoop(client, 100, seconds);
  control.over = true;
  await control.done;
  const after = await back(client, before);
  const rows = [
    ['first script, with the start of its worker', cold, 700],
    ['a script on a worker that is there, p50', at(warm, 0.5), 10],
    ['a script with one call above the call itself, p50', at(script, 0.5) - at(call, 0.5), 3],
    ['rise of p99 of echoes beside hostile scripts', at(disturbed, 0.99) - at(quiet, 0.99), 20],
  ];
  rows.push(['processes more than before the hostile scripts', after.processes - before.processes, 0, '']);
  rows.push(['heap after a full collection, more than before them', after.heap - before.heap, 8, 'MB']);
  for (const [name, value, goal, unit = 'ms'] of rows) {
    console.log(`${value <= goal ? 'met    ' : 'missed '} ${name}: ${value.toFixed(1)} ${unit}, goal ${goal}`);
  }
  console.log(`        p99 of echoes ${at(quiet, 0.99).toFixed(1)} ms alone, ${at(disturbed, 0.99).toFixed(1)} beside ${control.runs} hostile scripts; a call ${at(call, 0.5).toFixed(1)} ms`);
  process.exitCode = rows.every(([, value, goal]) => value <= goal) ? 0 : 1;
} finally {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
}
