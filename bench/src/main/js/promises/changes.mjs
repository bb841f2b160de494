// P13: shutdown of the gateway. P20: configuration reload, valid and invalid.
import fs from 'node:fs';
import { isAlive, pause, until } from '../processes.mjs';
import { Gateway, small } from './gateway.mjs';
import { Clients } from './open.mjs';

const SERVERS = 20;
const names = Array.from({ length: SERVERS }, (_, i) => 's' + (i + 1));
const crowd = (env, keys) => Object.fromEntries(names.map((name) => [name, small(env, keys)]));
const worst = (millis) => Math.max(...millis);

// Version and process of a server.
async function who(clients, server) {
  const { text, fault } = await clients.call(server + '__who', {});
  const [version, pid] = text.split(' ');
  return { version, pid: Number(pid), fault };
}

// ---- P13

async function ended(config, calls, signals) {
  const gateway = new Gateway('P13', { mcpServers: crowd({ STAY: '1' }), ...config });
  try {
    await gateway.start();
    const clients = await new Clients(gateway).more(4);
    const pids = (await Promise.all(names.map((name) => who(clients, name)))).map(({ pid }) => pid);
    const hanging = Array.from({ length: calls }, () => clients.call('s1__hang', {}));
    await pause(calls && 300);
    const gone = new Promise((resolve) => gateway.process.on('exit', resolve));
    let begun;
    for (const signal of signals) {
      begun = performance.now();
      gateway.process.kill(signal);
      await pause(signals.length > 1 && signal === signals[0] ? 300 : 0);
    }
    const code = await gone;
    const millis = performance.now() - begun;
    await Promise.all(hanging);
    return { millis, code, left: pids.filter(isAlive).length };
  } finally {
    await gateway.stop();
  }
}

export async function p13(quick) {
  const rounds = quick ? 2 : 5;
  const [idle, busy, twice] = [[], [], []];
  for (let i = 0; i < rounds; i++) {
    idle.push(await ended({}, 0, ['SIGTERM']));
    busy.push(await ended({ pool: { drainMs: 1000 } }, 8, ['SIGTERM']));
    twice.push(await ended({ pool: { drainMs: 10_000 } }, 8, ['SIGTERM', 'SIGTERM']));
  }
  const row = (what, of, goal) => [what, worst(of.map(({ millis }) => millis)), goal, worst(of.map(({ millis }) => millis)) <= goal, 'ms'];
  const all = [...idle, ...busy, ...twice];
  const left = all.reduce((sum, { left }) => sum + left, 0);
  const codes = (of) => [...new Set(of.map(({ code }) => code))].join(', ');
  return {
    figures: [
      row(`idle, before ${SERVERS} servers that ignore SIGTERM: from the signal to the end`, idle, 2500),
      row('the same with 8 calls that never end and 1,000 ms to drain', busy, 3500),
      row('the same, from a second signal during 10 s to drain', twice, 1000),
      ['processes of servers that are left', left, 0, left === 0],
    ],
    notes: `the worst of ${rounds} each; exit codes ${codes(idle)}, ${codes(busy)} and ${codes(twice)}`,
  };
}

// ---- P20

// Replaces the configuration.
function change(gateway, config) {
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  fs.writeFileSync(gateway.file + '~', text);
  fs.renameSync(gateway.file + '~', gateway.file);
}

const lines = (gateway, words) => gateway.log.split('\n').filter((line) => line.includes(words));
const files = (gateway) => fs.readdirSync(`/proc/${gateway.process.pid}/fd`).length;

async function wrongOnes(gateway, clients, before) {
  const wrong = [
    '{"mcpServers": {\n  "s1": {"command": ',
    JSON.stringify({ mcpServers: { s1: { comand: 'x' } } }),
    JSON.stringify({ mcpServers: crowd({}, { timeoutMs: 'long' }) }),
    '',
  ];
  let changed = 0;
  for (const [i, text] of wrong.entries()) {
    change(gateway, text);
    await until(() => lines(gateway, 'configuration rejected').length > i);
    for (const [name, pid] of before) {
      changed += (await who(clients, name)).pid === pid ? 0 : 1;
    }
  }
  const placed = lines(gateway, 'configuration rejected').filter((line) => /config\.json:\d+:\d+: /.test(line)).length;
  return { changed, placed, all: wrong.length };
}

export async function p20(quick) {
  const gateway = new Gateway('P20', { mcpServers: crowd({ VERSION: '0' }) });
  try {
    await gateway.start();
    const clients = await new Clients(gateway).more(4);
    const pids = async () => new Map(await Promise.all(names.map(async (name) => [name, (await who(clients, name)).pid])));
    const first = await pids();
    const wrong = await wrongOnes(gateway, clients, first);
    const as = (version) => ({ mcpServers: { ...crowd({ VERSION: '0' }), s1: small({ VERSION: String(version) }) }, pool: { drainMs: 100 } });
    const applied = [];
    const rounds = quick ? 5 : 20;
    for (let version = 1; version <= rounds; version++) {
      change(gateway, as(version));
      applied.push(await until(async () => (await who(clients, 's1')).version === String(version)));
    }
    const open = files(gateway);
    const seconds = quick ? 10 : 30;
    let last = rounds;
    for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(10)) {
      change(gateway, as(++last));
    }
    const settled = await until(async () => (await who(clients, 's1')).version === String(last));
    const after = await pids();
    const moved = names.filter((name) => name !== 's1' && first.get(name) !== after.get(name)).length;
    await until(() => files(gateway) <= open + 2).catch(() => {});
    const extra = Math.max(0, files(gateway) - open);
    return {
      figures: [
        [`servers that changed by ${wrong.all} wrong files`, wrong.changed, 0, wrong.changed === 0],
        ['wrong files that were told with line and column', wrong.placed, wrong.all, wrong.placed === wrong.all],
        [`a right file answered for by its server, the worst of ${rounds}`, worst(applied), 2000, worst(applied) <= 2000, 'ms'],
        [`after ${last - rounds} changes in ${seconds} s, the last one answered for`, settled, 2000, settled <= 2000, 'ms'],
        [`other servers of ${SERVERS - 1} that are not the same process as at the start`, moved, 0, moved === 0],
        ['open files more than before the storm', extra, 2, extra <= 2],
      ],
      notes: `each right file gives one of ${SERVERS} servers another environment; the time ends with the first answer of its new process`,
    };
  } finally {
    await gateway.stop();
  }
}
