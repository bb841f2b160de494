// P11: recovery of a crashed server, and handling of one that always crashes. P12: no process remains.
import fs from 'node:fs';
import path from 'node:path';
import { median } from '../load.mjs';
import { endProcess, isAlive, pause, startProcess, until } from '../processes.mjs';
import { Gateway, healthy, newFolder, serverProgram, small, withGateway } from './gateway.mjs';
import { Clients, openLoop } from './open.mjs';

const starts = (folder) => fs.readdirSync(folder).filter((file) => file.endsWith('.json'));
const isZombie = (pid) => isAlive(pid) && fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].startsWith('Z');
const worst = (values) => Math.max(...values);

// ---- P11

// The time from the start of the same program to its first response on this machine, without a gateway.
function started() {
  const begun = performance.now();
  const child = startProcess([process.execPath, serverProgram]);
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }) + '\n');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout.once('data', () => {
      const took = performance.now() - begun;
      endProcess(child, { signal: 'SIGTERM' }).then(() => resolve(took));
    });
  });
}

// The time from a crash to a response of the new process, without the restart delay, compared with a start on this machine.
async function comeback(rounds) {
  const DELAY = 200;
  const folder = newFolder();
  const config = {
    mcpServers: { ...healthy(2), ill: small({ JOURNAL: folder }) },
    recovery: { maxCrashes: 0, restartDelaysMs: [DELAY] },
    // The breaker of the tool that crashes its server stays closed.
    toolBreaker: { enabled: false },
  };
  return withGateway('P11', config, async (gateway) => {
    const clients = await new Clients(gateway).more(2);
    await clients.call('ill__echo', { message: 'm' });
    const [spawns, back] = [[], []];
    for (let i = 0; i < rounds; i++) {
      spawns.push(await started());
      const before = starts(folder).length;
      await clients.call('ill__crash', {});
      const crashed = performance.now();
      await until(() => starts(folder).length > before);
      await clients.call('ill__echo', { message: 'm' });
      back.push(performance.now() - crashed - DELAY);
      await pause(300);
    }
    await clients.close();
    return { spawn: median(spawns), back: median(back) };
  });
}

// A server that exits at every start, after it has worked once.
async function loop(seconds) {
  const folder = newFolder();
  const sick = path.join(newFolder(), 'sick');
  const config = { mcpServers: { ...healthy(2), ill: small({ JOURNAL: folder, SICK: sick }) }, recovery: { restartDelaysMs: [100] } };
  return withGateway('P11 loop', config, async (gateway) => {
    const clients = await new Clients(gateway).more(2);
    await clients.call('ill__echo', { message: 'm' });
    await pause(500);
    fs.writeFileSync(sick, '');
    const first = starts(folder).length;
    await clients.call('ill__crash', {});
    // The crash and two failed restarts are three crashes.
    await until(() => starts(folder).length >= first + 2);
    await pause(1000);
    const before = starts(folder).length;
    const processor = gateway.processorTime();
    await pause(seconds * 1000);
    const share = (gateway.processorTime() - processor) / seconds;
    const more = starts(folder).length - before;
    await clients.call('ill__echo', { message: 'm' });
    const others = starts(folder).length > before + more ? 0 : 1;
    await clients.close();
    return { crashes: before, more, share, others };
  });
}

export async function p11(quick, long) {
  const seconds = long ? 600 : quick ? 15 : 60;
  const { spawn, back } = await comeback(quick ? 3 : 10);
  const { crashes, more, share, others } = await loop(seconds);
  return {
    figures: [
      [`from the end of the delay to an answer of the new process to a call, its start of ${spawn.toFixed(0)} ms included`, back, spawn + 250, back <= spawn + 250, 'ms'],
      [`processes started in ${seconds} s after the third crash, without a call`, more, 0, more === 0],
      [`calls after that time that did not start it`, others, 0, others === 0],
      ['processor time of the gateway meanwhile', 100 * share, 2, 100 * share <= 2, '% of a core'],
    ],
    notes: `the server had ${crashes} processes before its restarts ended`,
  };
}

// ---- P12

export async function p12(quick) {
  const cycles = quick ? 50 : 1000;
  const folder = newFolder();
  const config = {
    mcpServers: { ...healthy(2), ill: small({ JOURNAL: folder }, { replay: { echo: 'always' } }) },
    recovery: { maxCrashes: 0, restartDelaysMs: [3_600_000] },
    breaker: { failureThreshold: 1_000_000 },
    toolBreaker: { enabled: false },
  };
  const gateway = new Gateway('P12', config);
  try {
    await gateway.start();
    const clients = await new Clients(gateway).more(2);
    for (let i = 0; i < cycles; i++) {
      await clients.call('ill__echo', { message: 'm' });
      await clients.call('ill__crash', {});
    }
    await clients.call('ill__echo', { message: 'm' });
    const pids = starts(folder).map((file) => Number.parseInt(file, 10));
    await until(() => pids.filter(isAlive).length <= 1).catch(() => {});
    const left = pids.filter(isAlive).length - 1;
    const zombies = pids.filter(isZombie).length;
    const last = pids.filter(isAlive);
    gateway.process.kill('SIGKILL');
    const gone = await until(() => last.filter(isAlive).length === 0, 10_000).catch(() => Infinity);
    return {
      figures: [
        [`processes left after ${cycles} starts and crashes, beside the one that is used`, left, 0, left === 0],
        ['zombies among them', zombies, 0, zombies === 0],
        ['from SIGKILL of the gateway to the end of its servers', gone, 5000, gone <= 5000, 'ms'],
      ],
      notes: `${pids.length} processes were started`,
    };
  } finally {
    await gateway.stop();
  }
}

// ---- P18

const goodput = (results) => results.filter(({ text }) => text?.startsWith('Echo: ')).length;

export async function p18(quick) {
  const plan = quick ? { rate: 100, outage: 8, seconds: 5 } : { rate: 300, outage: 20, seconds: 10 };
  const COOLDOWN = 3;
  const folder = newFolder();
  const sick = path.join(newFolder(), 'sick');
  const ill = small({ JOURNAL: folder, SICK: sick }, { breaker: { cooldownMs: 1000 * COOLDOWN, cooldownGrowth: 1, jitter: 0 } });
  const config = { mcpServers: { ...healthy(2), ill }, recovery: { maxCrashes: 0, restartDelaysMs: [1000] } };
  return withGateway('P18', config, async (gateway) => {
    const clients = await new Clients(gateway).more(40);
    // Each client retries once, at the time that the error names.
    const once = () => clients.call('ill__slow', { ms: 20, message: 'm' });
    const retrying = async () => {
      const first = await once();
      if (first.fault?.retryAfterMs > 0) {
        await pause(Math.min(first.fault.retryAfterMs, 2_000));
        return once();
      }
      return first;
    };
    const measured = async (seconds) => goodput((await openLoop({ rate: plan.rate, seconds }, retrying)).results) / (plan.rate * seconds);
    await measured(3);
    const before = await measured(plan.seconds);
    fs.writeFileSync(sick, '');
    await clients.call('ill__crash', {});
    await measured(plan.outage);
    fs.rmSync(sick);
    await measured(COOLDOWN + (quick ? 5 : 10));
    const after = await measured(plan.seconds);
    await clients.close();
    return {
      figures: [[`answers after the outage, against before`, after / before, 0.95, after / before >= 0.95, 'x']],
      notes: `${plan.rate} calls/s open loop, each made again once when it was told to; the server is down for ${plan.outage} s; before it ${(100 * before).toFixed(1)} % were answered`,
    };
  });
}

// ---- P19

const FIRST_LIST_WAIT = 10_000;
const LIST_LIMIT = 300;

// Milliseconds from the start of a gateway to its first discover and to its first list, and how many tools it lists.
async function firstAnswers(gateway) {
  // It is ready as soon as it listens.
  gateway.answering = () => undefined;
  try {
    await gateway.start();
    const begun = performance.now();
    const session = await gateway.session();
    await session.request('server/discover', {});
    const discover = performance.now() - begun;
    const { tools } = await session.request('tools/list', {});
    await session.close();
    return { discover, list: performance.now() - begun, tools: tools.length };
  } finally {
    await gateway.stop();
  }
}

// Servers whose command does not exist, together with a silent and three healthy ones, at first contact; the same after all
// but the failing ones have been listed before, with one of them silent now.
async function firstLists() {
  const dead = Object.fromEntries(Array.from({ length: 50 }, (_, i) => ['d' + (i + 1), { command: 'no-such-command-anywhere' }]));
  const hangs = path.join(newFolder(), 'hangs');
  const script = `[ -e ${hangs} ] && exec sleep 1000; exec "$@"`;
  const mute = small({}, { command: 'sh', args: ['-c', script, 'sh', process.execPath, serverProgram] });
  const alone = await firstAnswers(new Gateway('P19', { mcpServers: dead }));
  fs.writeFileSync(hangs, '');
  const config = { mcpServers: { ...dead, ...healthy(3), mute } };
  const contact = await firstAnswers(new Gateway('P19', config));
  fs.rmSync(hangs);
  const known = new Gateway('P19', config);
  await firstAnswers(known);
  fs.writeFileSync(hangs, '');
  const again = await firstAnswers(Object.assign(new Gateway('P19', config), { command: known.command }));
  return { alone, contact, again };
}

export async function p19(quick) {
  const rounds = [];
  for (let i = 0; i < (quick ? 2 : 5); i++) {
    rounds.push(await firstLists());
  }
  const row = (what, which, field, limit) => {
    const value = worst(rounds.map((round) => round[which][field]));
    return [what, value, limit, value <= limit, 'ms'];
  };
  const [{ contact, again }] = rounds;
  return {
    figures: [
      row('server/discover and tools/list after the start, before 50 dead servers', 'alone', 'list', LIST_LIMIT),
      row('server/discover at the first contact with 50 dead servers, 1 that is silent and 3 that are well', 'contact', 'discover', LIST_LIMIT),
      row(`with tools/list, which waits up to ${FIRST_LIST_WAIT} ms for the silent one`, 'contact', 'list', FIRST_LIST_WAIT + LIST_LIMIT),
      row('server/discover and tools/list at a later start, lists from the cache', 'again', 'list', LIST_LIMIT),
    ],
    notes: `the worst of ${rounds.length} times; ${contact.tools} tools were listed at the first contact, ${again.tools} from the cache`,
  };
}
