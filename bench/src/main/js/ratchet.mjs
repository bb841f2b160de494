// The short form of bench/gateway: start, idle memory and a call, as ratios to a minimal program in the same
// run. Fails when a ratio is worse than the committed one by more than half. Started by bench/ratchet and by RatchetTest.
import fs from 'node:fs';
import path from 'node:path';
import {
  bareJvm, configOf, echoCommand, overHttp, overStdio, responder, serveOverStdio, serveOwnTools, StdioContender,
} from './contenders.mjs';
import { median, single, together } from './load.mjs';
import { root } from './processes.mjs';
import { remote } from './remote.mjs';
import { StdioSession } from './sessions.mjs';
import { processorMillis, residentMegabytes, shareOfProcessors, workMillis } from './usage.mjs';

const COMMITTED = path.join(root, 'bench/ratchet.json');
// A ratio more than 50 % worse than the committed one is a failure. Smaller changes are noise of a busy machine.
const ROOM = 1.5;
// On a busy machine elapsed times depend on other programs, so that only large regressions are visible.
const ROOM_OF_ELAPSED_IF_BUSY = 5;
const BUSY = 0.85;
// The second measurement has more rounds: a regression shows in both, noise does not. On a busy machine fewer rounds fit
// into `limit`, the seconds that the rounds of one step may take.
const LOOKS = [
  { starts: 5, rounds: 4, warmCalls: 2000, calls: 400, seconds: 0.3, limit: 6 },
  { starts: 14, rounds: 10, warmCalls: 2000, calls: 400, seconds: 0.4, limit: 18 },
];
const LEAST_ROUNDS = 3;
const SESSIONS = 32;
const NO_OP = 'no-op';
const OVER_WEBSOCKET = 'Fusebox, WebSocket';
const HELLO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };

const say = (text) => process.stderr.write(`${(performance.now() / 1000).toFixed(1)} s ${text}\n`);
const least = (values) => Math.min(...values);
const sum = (values) => values.reduce((all, value) => all + value, 0);

// Figures of each round, measured in rotating order: a function from a name to its figures.
async function inTurn(names, { rounds, limit }, measure) {
  const taken = new Map(names.map((name) => [name, []]));
  const until = performance.now() + 1000 * limit;
  for (let round = 0; round < rounds && (round < LEAST_ROUNDS || performance.now() < until); round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length];
      taken.get(name).push(await measure(name));
    }
  }
  return (name, field) => taken.get(name).map((figures) => figures[field]);
}

async function start(command) {
  const begun = performance.now();
  const session = new StdioSession(command);
  await session.connect();
  await session.request('initialize', HELLO);
  const elapsed = performance.now() - begun;
  const processor = processorMillis(session.process.pid, true);
  const memory = residentMegabytes(session.process.pid);
  await session.close();
  return { elapsed, processor, memory };
}

// The minimum of elapsed times counts: the rest is noise of other programs. Processor time has less noise, and its median
// counts.
async function starts({ starts, limit }) {
  const shell = ['/bin/sh', responder];
  const commands = { bare: bareJvm(), passing: serveOverStdio(configOf('sh', shell)), own: serveOwnTools(configOf('sh', shell)) };
  for (const command of Object.values(commands)) {
    await start(command);
  }
  const of = await inTurn(Object.keys(commands), { rounds: starts, limit }, (name) => start(commands[name]));
  const figures = {};
  for (const [name, what] of [['passing', 'start'], ['own', 'start with own tools']]) {
    figures[`${what}, elapsed, against a bare JVM`] = least(of(name, 'elapsed')) / least(of('bare', 'elapsed'));
    figures[`${what}, processor time, against a bare JVM`] = median(of(name, 'processor')) / median(of('bare', 'processor'));
  }
  say(`  bare JVM: ${least(of('bare', 'elapsed')).toFixed(0)} ms, ${median(of('bare', 'processor'))} ms of processor time`);
  return { figures, bareMemory: median(of('bare', 'memory')) };
}

// The result of a slice of load, and the resources that the gateway's process used per call.
async function counted(contender, [session], load) {
  const pid = (session.process ?? contender.process).pid;
  const before = workMillis(pid);
  const begun = performance.now();
  const taken = await load();
  const calls = (taken.rate * (performance.now() - begun)) / 1000;
  if (taken.failures > 0) {
    throw new Error(`${contender.name}: ${taken.failures} calls failed, the last one with: ${taken.why}`);
  }
  return { ...taken, millisOfCall: 1000 / taken.rate, processor: (workMillis(pid) - before) / calls };
}

// Processor time is that of all rounds together, elapsed time that of the best one.
async function compared(what, sessions, plan, field, load) {
  const contenders = new Map([...sessions.keys()].map((one) => [one.name, one]));
  const of = await inTurn([...contenders.keys()], plan, (name) => {
    const contender = contenders.get(name);
    const open = sessions.get(contender);
    return counted(contender, open, () => load(contender, open));
  });
  const figures = {};
  for (const name of [...contenders.keys()].filter((one) => one !== NO_OP && one !== OVER_WEBSOCKET)) {
    const where = name === 'Fusebox shared' ? `${what}, one process for all` : what;
    const title = field === 'p50' ? 'p50' : 'time of a call';
    figures[`${where}, ${title}, against no-op`] = least(of(name, field)) / least(of(NO_OP, field));
    figures[`${where}, processor time, against no-op`] = sum(of(name, 'processor')) / sum(of(NO_OP, 'processor'));
  }
  if (contenders.has(OVER_WEBSOCKET)) {
    figures['WebSocket server, p50, against HTTP server'] = least(of(OVER_WEBSOCKET, field)) / least(of('Fusebox', field));
  }
  say(`  ${what}: no-op ${least(of(NO_OP, field)).toFixed(3)} ms a call`);
  return figures;
}

// The sessions of each contender, a few at a time: each may start a process. They are closed in any case.
async function withSessions(contenders, count, work) {
  const sessions = new Map(contenders.map((contender) => [contender, []]));
  try {
    for (const [contender, open] of sessions) {
      while (open.length < count) {
        open.push(...(await Promise.all(Array.from({ length: Math.min(4, count) }, () => contender.session()))));
      }
    }
    return await work(sessions);
  } finally {
    await Promise.all([...sessions.values()].flat().map((session) => session.close()));
  }
}

const calls = (what, contenders, plan) =>
  withSessions(contenders, 1, async (sessions) => {
    for (const [contender, [session]] of sessions) {
      await single(contender, plan.warmCalls, session);
    }
    return compared(what, sessions, plan, 'p50', (contender, [session]) => single(contender, plan.calls, session));
  });

const crowds = (what, contenders, plan) =>
  withSessions(contenders, SESSIONS, async (sessions) => {
    const load = (contender, open) => together(contender, open, plan.seconds);
    for (const [contender, open] of sessions) {
      await load(contender, open);
    }
    return compared(what, sessions, plan, 'millisOfCall', load);
  });

// All of them run from the first start to the end, so that they share the same conditions.
async function withAll(contenders, work) {
  const started = [];
  try {
    for (const contender of contenders) {
      started.push(contender);
      await contender.start();
    }
    return await work();
  } finally {
    await Promise.all(started.map((contender) => contender.stop()));
  }
}

async function measure(plan) {
  const { figures, bareMemory } = await starts(plan);
  const stdio = overStdio.filter(({ name }) => name !== 'direct');
  const own = new StdioContender('own tools', serveOwnTools(configOf('echo', echoCommand)));
  own.tool = 'mcp_call';
  own.wrap = (given) => ({ server: 'echo', tool: 'echo', args: given });
  const [server, ...before] = remote.session.filter(({ name }) => ['direct', NO_OP, 'Fusebox', OVER_WEBSOCKET].includes(name));
  return withAll([...stdio, own, ...overHttp, server, ...before], async () => {
    const idle = (list, name) => list.find((one) => one.name === name).memory() / bareMemory;
    say(`  bare JVM: ${bareMemory.toFixed(0)} MB`);
    return {
      ...figures,
      'idle memory over stdio, against a bare JVM': idle(stdio, 'Fusebox'),
      'idle memory with own tools over stdio, against a bare JVM': idle([own], 'own tools'),
      'idle memory over HTTP, against a bare JVM': idle(overHttp, 'Fusebox'),
      ...(await calls('stdio', stdio, plan)),
      ...(await calls('HTTP', overHttp, plan)),
      ...(await calls('HTTP gateway, HTTP server', before, plan)),
      ...(await crowds(`${SESSIONS} sessions over HTTP`, overHttp, plan)),
    };
  });
}

function roomOf(what, share) {
  const elapsed = !what.includes('processor time') && !what.includes('memory');
  return elapsed && share < BUSY ? ROOM_OF_ELAPSED_IF_BUSY : ROOM;
}

// Prints all figures, and returns the failures. A figure that is not committed is a failure as well: it would never be checked.
function judge({ figures, share }, committed) {
  const busy = share < BUSY ? `; elapsed times may be ${ROOM_OF_ELAPSED_IF_BUSY} times the committed ones` : '';
  console.log(`${Math.round(100 * share)} % of two processors were free${busy}`);
  const broken = [];
  for (const [what, value] of Object.entries(figures)) {
    const limit = roomOf(what, share) * committed[what];
    const unmeasurable = Number.isNaN(value) && process.platform !== 'linux';
    const verdict = value <= limit || unmeasurable ? '     ' : 'WORSE';
    const line = `${value.toFixed(2)} (committed ${committed[what] ?? 'none'}, at most ${limit.toFixed(2)}) ${what}`;
    console.log(`${verdict} ${line}`);
    if (verdict === 'WORSE') broken.push(line);
  }
  const lost = Object.keys(committed).filter((what) => !(what in figures));
  return [...broken, ...lost.map((what) => `not measured, but committed: ${what}`)];
}

// The smaller share of the processors before and after counts.
async function measured(plan) {
  const before = await shareOfProcessors();
  const figures = await measure(plan);
  return { figures, share: Math.min(before, await shareOfProcessors()) };
}

// A missing measurement is a failure as well.
async function look(plan, committed) {
  try {
    return judge(await measured(plan), committed);
  } catch (failure) {
    return [failure.stack];
  }
}

function write(figures) {
  const rounded = Object.fromEntries(Object.entries(figures).map(([what, value]) => [what, Number(value.toFixed(2))]));
  fs.writeFileSync(COMMITTED, JSON.stringify(rounded, null, 2) + '\n');
}

async function main([word, ...more]) {
  if ((word !== undefined && word !== '--write') || more.length > 0) {
    console.error('usage: bench/ratchet [--write]');
    return 2;
  }
  if (word === '--write') {
    const { figures, share } = await measured(LOOKS[1]);
    write(figures);
    say(`${Math.round(100 * share)} % of two processors were free`);
    console.log(fs.readFileSync(COMMITTED, 'utf8'));
    return 0;
  }
  const committed = JSON.parse(fs.readFileSync(COMMITTED, 'utf8'));
  let broken = [];
  for (const plan of LOOKS) {
    broken = await look(plan, committed);
    if (broken.length === 0) {
      return 0;
    }
    say(`${broken.length} figures are worse than the committed ones by more than half, or could not be measured`);
  }
  console.log(['worse than in bench/ratchet.json by more than half, twice; bench/ratchet --write accepts it:', ...broken].join('\n  '));
  return 1;
}

process.exit(await main(process.argv.slice(2)));
