// P9: the pool limits are kept, and the reserve is opened in time. P10: waiting is bounded, and clients with many calls do not
// delay others.
import fs from 'node:fs';
import { pause } from '../processes.mjs';
import { healthy, withGateway } from './gateway.mjs';
import { Clients, quantile } from './open.mjs';

const worst = (values) => Math.max(...values);

// The number of server processes of a gateway, sampled every ten milliseconds.
class Sampler {
  constructor(pid) {
    this.tasks = `/proc/${pid}/task`;
    this.names = new Map();
    this.samples = 0;
    this.most = 0;
    this.seen = [];
    this.timer = setInterval(() => this.look(), 10);
  }

  look() {
    const live = this.live();
    this.samples++;
    this.most = Math.max(this.most, live);
    this.seen.push([performance.now(), live]);
  }

  // The children of the threads are read one after the other, so a server that has ended meanwhile and its replacement
  // would both be counted. A new maximum therefore counts only if a second sample confirms it.
  live() {
    const servers = () => this.children().filter((pid) => this.isServer(pid));
    const first = servers();
    if (first.length <= this.most) {
      return first.length;
    }
    const second = new Set(servers());
    return first.filter((pid) => second.has(pid)).length;
  }

  children() {
    return fs.readdirSync(this.tasks).flatMap((task) => {
      try {
        return fs.readFileSync(`${this.tasks}/${task}/children`, 'utf8').split(' ').filter(Boolean);
      } catch {
        return [];
      }
    });
  }

  // A process that has just been forked is not node yet.
  isServer(pid) {
    if (this.names.get(pid) !== 'node') {
      try {
        this.names.set(pid, fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
      } catch {
        return false;
      }
    }
    return this.names.get(pid) === 'node';
  }

  // The first time since then with this number of processes.
  firstWith(live, since) {
    return this.seen.find(([at, many]) => at >= since && many >= live)?.[0];
  }

  close() {
    clearInterval(this.timer);
  }
}

const random = (seed) => () => ((seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648);

// ---- P9

async function mixed(clients, seconds, names) {
  const chance = random(7);
  const end = performance.now() + seconds * 1000;
  let [calls, broken] = [0, 0];
  const one = async () => {
    while (performance.now() < end) {
      const name = names[Math.floor(chance() * names.length)];
      const { text, fault } = await clients.call(`${name}__slow`, { ms: Math.floor(chance() * 120), message: 'm' });
      calls++;
      broken += text?.startsWith('Echo: ') || fault?.code === 'overloaded' ? 0 : 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
  return { calls, broken };
}

async function bounds(seconds) {
  const pool = { poolSize: 4, resPoolSize: 1, resPoolTimeout: 500, queueTimeoutMs: 5_000 };
  return withGateway('P9', { mcpServers: healthy(12), pool }, async (gateway) => {
    const clients = await new Clients(gateway).more(12);
    const sampler = new Sampler(gateway.process.pid);
    const load = await mixed(clients, seconds, Array.from({ length: 12 }, (_, i) => 's' + (i + 1)));
    sampler.close();
    await clients.close();
    return { most: sampler.most, samples: sampler.samples, ...load };
  });
}

// All slots are in use; the time from the waiting call to the start of a server in the reserve.
async function reserve(rounds) {
  const WAIT = 500;
  const pool = { poolSize: 2, resPoolSize: 1, resPoolTimeout: WAIT, queueTimeoutMs: 20_000, idleTimeoutMs: 600_000 };
  const off = [];
  let ended = 0;
  for (let i = 0; i < rounds; i++) {
    await withGateway('P9 reserve', { mcpServers: healthy(3), pool }, async (gateway) => {
      const clients = await new Clients(gateway).more(4);
      await clients.call('s1__echo', { message: 'm' });
      await clients.call('s2__echo', { message: 'm' });
      const sampler = new Sampler(gateway.process.pid);
      // A new connection is not evicted within its first second.
      await pause(1500);
      const busy = ['s1', 's2'].map((name) => clients.call(`${name}__slow`, { ms: 4000, message: 'm' }));
      await pause(200);
      const begun = performance.now();
      const third = clients.call('s3__echo', { message: 'm' });
      const { text } = await third;
      off.push(sampler.firstWith(3, begun) - begun - WAIT);
      ended += (await Promise.all([...busy, third])).filter((one) => !one.text?.startsWith('Echo: ')).length;
      ended += text ? 0 : 1;
      sampler.close();
      await clients.close();
    });
  }
  return { off, ended };
}

export async function p9(quick) {
  const seconds = quick ? 10 : 60;
  const { most, samples, calls, broken } = await bounds(seconds);
  const { off, ended } = await reserve(quick ? 2 : 5);
  const [early, late] = [Math.min(...off), worst(off)];
  return {
    figures: [
      [`processes of servers at once, in ${samples} looks 10 ms apart`, most, 5, most <= 5],
      [`calls of ${calls} that ended with their server, or otherwise`, broken + ended, 0, broken + ended === 0],
      ['the reserve, before its time at the earliest', early, -100, early >= -100, 'ms'],
      ['the reserve, after its time at the latest', late, 100, late <= 100, 'ms'],
    ],
    notes: `12 servers, poolSize 4, resPoolSize 1; 8 callers for ${seconds} s, each call to any server for up to 120 ms; the reserve is seen when its process has become node, so its start counts`,
  };
}

// ---- P10

// Two slots, both in use; some calls to other servers wait, and the others are rejected at once.
async function queue() {
  const [LIMIT, LENGTH, CALLS] = [1500, 5, 30];
  const pool = { poolSize: 2, queueTimeoutMs: LIMIT, queueLength: LENGTH };
  return withGateway('P10', { mcpServers: healthy(2 + CALLS), pool }, async (gateway) => {
    const clients = await new Clients(gateway).more(CALLS + 2);
    await clients.call('s1__echo', { message: 'm' });
    await clients.call('s2__echo', { message: 'm' });
    await pause(1500);
    const busy = ['s1', 's2'].map((name) => clients.call(`${name}__slow`, { ms: 6000, message: 'm' }));
    await pause(200);
    const told = await Promise.all(
      Array.from({ length: CALLS }, async (_, i) => {
        const begun = performance.now();
        const { fault } = await clients.call(`s${3 + i}__echo`, { message: 'm' });
        return { code: fault?.code, again: fault?.retryAfterMs, millis: performance.now() - begun };
      }),
    );
    await Promise.all(busy);
    await clients.close();
    const waited = told.filter(({ millis }) => millis > LIMIT / 2);
    return {
      late: worst(waited.map(({ millis }) => millis - LIMIT)),
      waited: waited.length,
      length: LENGTH,
      honest: told.filter(({ code, again }) => code === 'overloaded' && again > 0).length,
      all: CALLS,
    };
  });
}

// One session has forty pending calls at all times, another makes one after the other.
async function fairness(seconds) {
  const pool = { poolSize: 3, queueTimeoutMs: 20_000, queueLength: 1000 };
  return withGateway('P10 fairness', { mcpServers: healthy(12), pool }, async (gateway) => {
    const [greedy, polite] = [await gateway.session(), await gateway.session()];
    // Longer than a call may wait for a slot, so that the gateway's response ends it.
    greedy.patience = polite.patience = 2 * pool.queueTimeoutMs;
    const end = performance.now() + seconds * 1000;
    const chance = random(3);
    const waits = [];
    let [failed, many] = [0, 0];
    const call = async (session, name) => {
      const answer = await session.request('tools/call', { name: `${name}__echo`, arguments: { message: 'm' } });
      const good = JSON.stringify(answer).includes('Echo: ');
      failed += good ? 0 : 1;
      return good;
    };
    const hungry = async () => {
      while (performance.now() < end) {
        await call(greedy, 's' + (1 + Math.floor(chance() * 11)));
        many++;
      }
    };
    const modest = async () => {
      while (performance.now() < end) {
        const begun = performance.now();
        await call(polite, 's12');
        waits.push(performance.now() - begun);
        await pause(50);
      }
    };
    await Promise.all([...Array.from({ length: 40 }, hungry), modest()]);
    await Promise.all([greedy.close(), polite.close()]);
    return { waits, failed, many };
  });
}

export async function p10(quick, long) {
  const seconds = long ? 600 : quick ? 15 : 60;
  const line = await queue();
  const { waits, failed, many } = await fairness(seconds);
  return {
    figures: [
      ['waiting beyond queueTimeoutMs, the worst', line.late, 100, line.late <= 100, 'ms'],
      ['callers who waited', line.waited, line.length, line.waited <= line.length],
      [`callers of ${line.all} who were told overloaded and when to come back`, line.honest, line.all, line.honest === line.all],
      ['calls that got no answer in the mixed load', failed, 0, failed === 0],
      ['the longest wait of the modest caller', worst(waits), 20_000, worst(waits) <= 20_000, 'ms'],
    ],
    notes: `3 places, 12 servers: one session with 40 calls out at all times to 11 of them (${many} in ${seconds} s), one with a call at a time to the twelfth (${waits.length}, median ${quantile(waits, 0.5).toFixed(0)} ms)`,
  };
}
