// P4: one probe at the end of a cooldown, for any number of waiting callers. P6: the additional load of retries in an outage.
import fs from 'node:fs';
import path from 'node:path';
import { pause } from '../processes.mjs';
import { Helper, healthy, newFolder, small, withGateway } from './gateway.mjs';
import { Clients, openLoop } from './open.mjs';

const COOLDOWN = 3_000;
const IMPATIENCE = 250;

// Retries at the reported time until a call is answered.
async function callUntilAnswered(clients, name) {
  for (let refusals = 0; ; refusals++) {
    const { fault, text, broken } = await clients.call(name, { ms: 300, message: 'm' });
    if (text?.startsWith('Echo: ')) {
      return { refusals, at: performance.now() };
    }
    if (broken || refusals > 200) {
      throw new Error('a caller failed: ' + (broken ?? text));
    }
    // All retry in the same moment, the first possible one. While the probe is pending the only known time is its timeout.
    await pause(fault.breaker?.state === 'open' ? fault.retryAfterMs : IMPATIENCE);
  }
}

async function outage(clients, callers, { folder, sick }) {
  fs.writeFileSync(sick, '');
  await clients.call('ill__crash', {});
  let fault;
  for (let i = 0; i < 20 && fault?.code !== 'breaker_open'; i++) {
    ({ fault } = await clients.call('ill__slow', { ms: 300, message: 'm' }));
  }
  const opened = performance.now();
  const before = new Set(fs.readdirSync(folder));
  const cooldown = fault.retryAfterMs;
  const waiting = Array.from({ length: callers }, () => callUntilAnswered(clients, 'ill__slow'));
  await pause(cooldown / 2);
  fs.rmSync(sick);
  const healed = performance.now();
  const all = await Promise.all(waiting);
  await pause(200);
  const started = fs.readdirSync(folder).filter((file) => file.endsWith('.json') && !before.has(file));
  const journal = started.map((file) => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')));
  return {
    starts: started.length,
    requests: journal.reduce((sum, one) => sum + one.beforeFirstAnswer, 0),
    most: Math.max(...journal.map((one) => one.most)),
    cooldown,
    untilSuccess: Math.min(...all.map((one) => one.at)) - healed,
    sinceOpened: Math.min(...all.map((one) => one.at)) - opened,
    refusals: all.reduce((sum, one) => sum + one.refusals, 0) / callers,
  };
}

export async function p4(quick) {
  const plan = quick ? { rounds: 2, callers: 300 } : { rounds: 5, callers: 1000 };
  const folder = newFolder();
  const place = { folder, sick: path.join(newFolder(), 'sick') };
  const breaker = { cooldownMs: COOLDOWN, cooldownGrowth: 1 };
  // The breaker of the tool that crashes its server in each round stays closed.
  const ill = small({ JOURNAL: folder, SICK: place.sick }, { breaker, toolBreaker: { enabled: false } });
  return withGateway('P4', { mcpServers: { ...healthy(19), ill } }, async (gateway) => {
    const clients = await new Clients(gateway).more(plan.callers);
    const rounds = [];
    for (let i = 0; i < plan.rounds; i++) {
      rounds.push(await outage(clients, plan.callers, place));
    }
    await clients.close();
    const most = (field) => Math.max(...rounds.map((round) => round[field]));
    const limit = COOLDOWN * 1.2 + 1000;
    const exact = rounds.every((round) => round.requests === 1);
    return {
      figures: [
        ['requests at the server until the probe was answered', rounds.map((round) => round.requests).join(', '), '1 each', exact],
        ['starts of the server, at most', most('starts'), 1, most('starts') <= 1],
        ['first success after the server was well, at most', most('untilSuccess'), limit, most('untilSuccess') <= limit, 'ms'],
      ],
      notes: `${plan.rounds} outages with ${plan.callers} callers each; a probe takes 300 ms, and a caller was refused ${Math.max(...rounds.map((round) => round.refusals)).toFixed(1)} times at most on average; at most ${most('most')} calls at once at the server afterwards`,
      rounds,
    };
  });
}

// A client with three retries.
async function persistent(clients, tool, tally) {
  for (let tries = 0; tries < 4; tries++) {
    tally.calls++;
    const { text } = await clients.call(tool, { message: 'm' });
    if (text?.startsWith('Echo: ')) {
      return;
    }
    await pause(100);
  }
}

function windows(seconds, begun, length, calls) {
  const worst = [];
  for (let from = begun; from + 10 <= begun + length; from++) {
    const work = Array.from({ length: 10 }, (_, i) => seconds[from + i] ?? 0).reduce((sum, one) => sum + one, 0);
    worst.push(work / ((calls * 10) / length));
  }
  return Math.max(0, ...worst);
}

async function underOutage(clients, server, tool, plan) {
  const { counts: before } = await server.ask({ outage: true });
  const begun = Math.ceil(Math.max(0, ...Object.keys(before.seconds).map(Number)));
  const tally = { calls: 0 };
  await openLoop(plan, () => persistent(clients, tool, tally));
  const { counts } = await server.ask({});
  const seconds = Object.fromEntries(Object.entries(counts.seconds).map(([second, many]) => [second, many - (before.seconds[second] ?? 0)]));
  const first = Math.min(...Object.keys(seconds).filter((second) => seconds[second] > 0).map(Number), begun + 1e9);
  const work = counts.calls - before.calls;
  return { work, calls: tally.calls, ratio: work / tally.calls, window: windows(seconds, first, plan.seconds, tally.calls) };
}

export async function p6(quick) {
  const plan = { rate: 200, seconds: quick ? 12 : 30 };
  const [fused, bare] = [new Helper('remote.mjs'), new Helper('remote.mjs')];
  try {
    const url = async (server) => `http://127.0.0.1:${(await server.next()).port}/mcp`;
    const mcpServers = {
      ...healthy(18),
      fused: { url: await url(fused), era: 'legacy' },
      bare: { url: await url(bare), era: 'legacy', breaker: { failureThreshold: 1_000_000 } },
    };
    return await withGateway('P6', { mcpServers }, async (gateway) => {
      const clients = await new Clients(gateway).more(40);
      for (const tool of ['fused__read', 'bare__read']) {
        await clients.call(tool, { message: 'm' });
      }
      const withBreaker = await underOutage(clients, fused, 'fused__read', plan);
      const budgetOnly = await underOutage(clients, bare, 'bare__read', plan);
      await clients.close();
      return {
        figures: [
          ['work at the server ÷ calls, breaker as usual', withBreaker.ratio, 1.1, withBreaker.ratio <= 1.1 && withBreaker.work > 0],
          ['the same in the worst ten seconds', withBreaker.window, 1.2, withBreaker.window <= 1.2],
          ['work ÷ calls with a breaker that never opens: the budget alone', budgetOnly.ratio, 'none', null],
          ['the same in the worst ten seconds', budgetOnly.window, 1.2, budgetOnly.window <= 1.2 && budgetOnly.ratio > 1],
        ],
        notes: `every POST answered with 500 for ${plan.seconds} s, ${plan.rate} calls/s, clients try three times more, calls may be repeated; ${withBreaker.work} of ${withBreaker.calls} and ${budgetOnly.work} of ${budgetOnly.calls} calls`,
        withBreaker,
        budgetOnly,
      };
    });
  } finally {
    fused.close();
    bare.close();
  }
}
