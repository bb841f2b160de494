// P27: small faults stay local. One gateway with default rules and a server for each case, all called concurrently.
import fs from 'node:fs';
import path from 'node:path';
import { pause } from '../processes.mjs';
import { HttpSession, StatelessSession } from '../sessions.mjs';
import { newFolder, small, withGateway } from './gateway.mjs';
import { Clients, faultOf } from './open.mjs';

const SHARES = [1, 2, 5];
const ALL_TOOLS = ['echo', 'slow', 'who', 'err', 'lose'];
const MIXES = [
  { tools: 1, callers: 1 },
  { tools: 5, callers: 1 },
  { tools: 1, callers: 8 },
  { tools: 5, callers: 8 },
];
// The interval between the calls of a caller; a call that hangs does not delay the next.
const IMPATIENCE = 1_000;
const BETWEEN_CALLS = 400;
// A client that disconnected would have cancelled its call.
const LONGER_THAN_CALLS = 90_000;
const LONGEST_ANSWER = 50;
const BETWEEN_POISON = 10_000;
const LATE = 2_000;
const MAX_HANGING = 50;

// Pseudorandom numbers with a fixed seed: mulberry32.
export function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

// One client of either era. A pending call keeps its connection, and the next call uses another.
class Caller {
  constructor(url, Session) {
    this.url = url;
    this.Session = Session;
    this.free = [];
    this.all = [];
  }

  async call(tool, given) {
    let session = this.free.pop();
    while (session?.channel.socket.destroyed) {
      session = this.free.pop();
    }
    session ??= await this.more();
    try {
      const result = await session.request('tools/call', { name: tool, arguments: given });
      this.free.push(session);
      return { text: result.content?.[0]?.text ?? '', fault: faultOf(result) };
    } catch (failure) {
      session.channel.close();
      return { text: '', broken: failure.message };
    }
  }

  async more() {
    const session = await new this.Session(this.url).open();
    session.patience = LONGER_THAN_CALLS;
    this.all.push(session);
    return session;
  }

  close() {
    this.all.forEach((session) => session.channel.close());
  }
}

const isAnswered = (one) => one.text.startsWith('Echo: ');
const isInFlightAtCrash = (one) => one.becomes === 'answered' && one.fault?.code === 'server_crashed' && one.fault.outcome === 'unknown';

// The outcomes of the calls of one case; pending calls count as not answered.
class Tally {
  constructor() {
    this.made = 0;
    this.answered = 0;
    this.leftOut = 0;
    this.whyNot = {};
  }

  note(one) {
    if (isAnswered(one)) {
      this.answered++;
    } else if (isInFlightAtCrash(one)) {
      this.leftOut++;
    } else if (one.becomes === 'answered') {
      const why = one.fault?.code ?? one.broken ?? one.text;
      this.whyNot[why] = (this.whyNot[why] ?? 0) + 1;
    }
  }

  share(leavesOut = true) {
    return this.answered / (this.made - (leavesOut ? this.leftOut : 0));
  }
}

// Makes calls until the time is over.
async function calling(caller, { until, next, tally, between }) {
  const chance = next.chance;
  while (performance.now() < until) {
    const { tool, becomes } = next();
    tally.made++;
    const back = caller.call(tool, { becomes, message: 'm', ms: 1 + chance() * LONGEST_ANSWER });
    await Promise.race([back.then((one) => tally.note({ ...one, becomes })), pause(IMPATIENCE)]);
    await pause(between ?? chance() * 2 * BETWEEN_CALLS);
  }
}

const chooser = (chance, choose) => Object.assign(() => choose(chance), { chance });

const ERAS = [StatelessSession, HttpSession];

// ---- A share of all calls

function shares() {
  return ['hanging', 'crash'].flatMap((becomes) =>
    SHARES.flatMap((percent) =>
      MIXES.map((mix) => ({ ...mix, becomes, percent, server: `${becomes}${percent}t${mix.tools}c${mix.callers}` })),
    ),
  );
}

async function share(gateway, { server, tools, callers, percent, becomes }, { until, seed }) {
  const tally = new Tally();
  const all = Array.from({ length: callers }, (_, i) => new Caller(gateway.url, ERAS[i % 2]));
  const work = all.map((caller, i) => {
    const next = chooser(random(seed + 100 * i), (chance) => ({
      tool: `${server}__${ALL_TOOLS[Math.floor(chance() * tools)]}`,
      becomes: chance() * 100 < percent ? becomes : 'answered',
    }));
    return calling(caller, { until, next, tally });
  });
  await Promise.all(work);
  await pause(IMPATIENCE);
  all.forEach((caller) => caller.close());
  return tally;
}

// ---- One tool that crashes its server

async function poisoned(gateway, { server, becomes }, { until, seed }) {
  const [tally, poison] = [new Tally(), new Tally()];
  const all = Array.from({ length: 9 }, (_, i) => new Caller(gateway.url, ERAS[i % 2]));
  const work = all.map((caller, i) => {
    const other = `${server}__${ALL_TOOLS[i % 3]}`;
    const next = chooser(random(seed + 100 * i), () =>
      i === 0 ? { tool: server + '__lose', becomes } : { tool: other, becomes: 'answered' },
    );
    return calling(caller, { until, next, tally: i === 0 ? poison : tally, between: i === 0 ? BETWEEN_POISON : undefined });
  });
  await Promise.all(work);
  await pause(IMPATIENCE);
  all.forEach((caller) => caller.close());
  return tally;
}

// ---- After an outage

// The server exits at every start until its breaker is open, and is healthy from then on. Resolves when the cooldown is over.
async function outage(caller, server, sick) {
  fs.writeFileSync(sick, '');
  await caller.call(server + '__crash', {});
  let fault;
  for (let i = 0; i < 20 && fault?.code !== 'breaker_open'; i++) {
    ({ fault } = await caller.call(server + '__echo', { message: 'm' }));
  }
  if (fault?.code !== 'breaker_open') {
    throw new Error('the breaker did not open: ' + JSON.stringify(fault));
  }
  fs.rmSync(sick);
  await pause(fault.retryAfterMs + 50);
}

// Fast calls, one after the other, until the time is over: the latency of each.
async function quick(caller, server, seconds) {
  const until = performance.now() + 1000 * seconds;
  const millis = [];
  while (performance.now() < until) {
    const begun = performance.now();
    const one = await Promise.race([caller.call(server + '__echo', { message: 'm' }), pause(3 * LATE).then(() => ({ text: 'late' }))]);
    millis.push(isAnswered(one) ? performance.now() - begun : Infinity);
    await pause(50);
  }
  return millis;
}

async function recovered(gateway, { server, sick }) {
  const [first, other] = ERAS.map((Session) => new Caller(gateway.url, Session));
  const slow = Array.from({ length: 3 }, () => new Caller(gateway.url, HttpSession));
  await outage(first, server, sick);
  const probe = await first.call(server + '__echo', { message: 'm' });
  const begun = performance.now();
  Array.from({ length: MAX_HANGING }, (_, i) => slow[i % 3].call(server + '__lose', {}));
  const millis = await quick(other, server, 5);
  [first, other, ...slow].forEach((caller) => caller.close());
  return { worst: isAnswered(probe) ? Math.max(...millis) : Infinity, calls: millis.length, begun };
}

// The probe hangs: the time until another call is answered.
async function probeHangs(gateway, { server, sick }) {
  const [first, other] = ERAS.map((Session) => new Caller(gateway.url, Session));
  await outage(first, server, sick);
  const begun = performance.now();
  first.call(server + '__lose', {});
  await pause(100);
  let [answered, longest] = [false, 0];
  while (!answered && performance.now() - begun < 20_000) {
    const one = await other.call(server + '__echo', { message: 'm' });
    answered = isAnswered(one);
    longest = Math.max(longest, one.fault?.retryAfterMs ?? 0);
    await pause(50);
  }
  const millis = answered ? performance.now() - begun : Infinity;
  [first, other].forEach((caller) => caller.close());
  return { millis, longest };
}

// ---- All of it

function unwell(many, name, cooldownMs) {
  return Array.from({ length: many }, (_, i) => {
    const sick = path.join(newFolder(), 'sick');
    return { server: name + i, sick, config: small({ SICK: sick }, { breaker: { cooldownMs } }) };
  });
}

function figures({ shared, poison, after, probes }) {
  const of = ({ becomes, percent, tools, callers }) =>
    `${percent} % ${becomes === 'crash' ? 'crash' : 'hang'}; ${tools === 1 ? 'one tool' : tools + ' tools'}, ${callers === 1 ? 'one caller' : callers + ' callers'}`;
  const worst = Math.max(...after.map((one) => one.worst));
  const [known, longest] = ['millis', 'longest'].map((field) => Math.max(...probes.map((one) => one[field])));
  return [
    ...shared.map(([one, tally]) => {
      const goal = 0.9 * (1 - one.percent / 100);
      return [`answered, ${of(one)}`, tally.share(), goal, tally.share() >= goal];
    }),
    ...poison.map(([{ becomes }, tally]) => {
      const what = becomes === 'crash' ? 'crashes the server' : 'hangs';
      return [`answered, other tools beside one that ${what}`, tally.share(false), 0.95, tally.share(false) >= 0.95];
    }),
    [`longest quick call beside ${MAX_HANGING} that hang, after a recovery`, worst, LATE, worst <= LATE, 'ms'],
    ['a recovery is known though the first probe hangs', known, 3_000, known <= 3_000, 'ms'],
    ['longest `retryAfterMs` meanwhile', longest, 1_000, longest <= 1_000, 'ms'],
  ];
}

export async function p27(isQuick) {
  const plan = isQuick ? { seconds: 25, cooldown: 3_000, keys: { timeoutMs: 4_000 } } : { seconds: 300, cooldown: 30_000, keys: {} };
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  const cases = shares();
  const poisons = ['crash', 'hanging'].map((becomes) => ({ becomes, server: 'poisoned-' + becomes }));
  const [ill, slow] = ['recovered', 'probed'].map((name) => unwell(isQuick ? 1 : 3, name, plan.cooldown));
  const mcpServers = Object.fromEntries([
    ...[...cases, ...poisons].map(({ server }) => [server, small({}, plan.keys)]),
    ...[...ill, ...slow].map(({ server, config }) => [server, config]),
  ]);
  return withGateway('P27', { mcpServers, pool: { poolSize: 50 } }, async (gateway) => {
    const clients = await new Clients(gateway).more(1);
    for (const server of Object.keys(mcpServers)) {
      await clients.call(server + '__echo', { message: 'm' });
    }
    await clients.close();
    const time = { until: performance.now() + 1000 * plan.seconds, seed };
    const pairs = (list, work) => Promise.all(list.map(async (one, i) => [one, await work(gateway, one, { ...time, seed: seed + 10_000 * i })]));
    const [shared, poison, after, probes] = await Promise.all([
      pairs(cases, share),
      pairs(poisons, poisoned),
      Promise.all(ill.map((one) => recovered(gateway, one))),
      Promise.all(slow.map((one) => probeHangs(gateway, one))),
    ]);
    const made = [...shared, ...poison].reduce((sum, [, tally]) => sum + tally.made, 0);
    const leftOut = shared.reduce((sum, [, tally]) => sum + tally.leftOut, 0);
    return {
      figures: figures({ shared, poison, after, probes }),
      notes: `${cases.length + poisons.length} servers side by side for ${plan.seconds} s, ${made} calls, ${leftOut} in flight at another's crash; a call may take ${(plan.keys.timeoutMs ?? 60_000) / 1000} s; seed ${seed}`,
      cases: [...shared, ...poison].map(([one, tally]) => ({ ...one, ...tally })),
      after,
      probes,
    };
  });
}
