// P2: an open breaker rejects at once and without side effects, while ten thousand calls are pending on the same server.
import fs from 'node:fs';
import path from 'node:path';
import { noOp, Contender } from '../contenders.mjs';
import { pause } from '../processes.mjs';
import { StatelessSession } from '../sessions.mjs';
import { median } from '../load.mjs';
import { healthy, journals, newFolder, parked, small, withGateway } from './gateway.mjs';
import { Clients, closedLoop, openLoop, quantile } from './open.mjs';
import { inside } from './inside.mjs';

const LONG = 600_000;
const COOLDOWN = 300_000;
const isRefused = ({ fault }) => fault?.code === 'breaker_open' || fault?.code === 'tool_breaker_open';

async function trip(clients, tool) {
  for (let i = 0; i < 20; i++) {
    if (isRefused(await clients.call(tool, {}))) {
      return;
    }
  }
  throw new Error('the breaker of ' + tool + ' did not open');
}

// What has reached the two servers so far: starts of the failing one, calls of the failing tool.
const contacts = (dead, half) => journals(dead).length + journals(half).reduce((sum, one) => sum + (one.calls.err ?? 0), 0);

async function closed(gateway, plan) {
  const folder = newFolder();
  const sample = path.join(folder, 'answer');
  const clients = await new Clients(gateway).more(plan.many);
  const session = await gateway.session();
  const result = await session.request('tools/call', { name: 'dead__echo', arguments: {} });
  fs.writeFileSync(sample, JSON.stringify(result));
  const front = new Contender('at once', { command: () => noOp('AtOnce', sample), Session: StatelessSession });
  front.answering = () => undefined;
  await front.start();
  const others = await new Clients(front).more(plan.many);
  const sides = [
    { clients, of: gateway, rates: [], costs: [] },
    { clients: others, of: front, rates: [], costs: [] },
  ];
  try {
    for (let round = -1; round < plan.rounds; round++) {
      for (const side of round % 2 === 0 ? sides : [...sides].reverse()) {
        const before = processorTime(side.of);
        const { results, rate } = await closedLoop(side.clients, plan, () => side.clients.call('dead__echo', {}));
        if (results.some((one) => !isRefused(one))) {
          throw new Error('something else than a refusal: ' + JSON.stringify(results.find((one) => !isRefused(one))));
        }
        // The first round warms up.
        round >= 0 && side.rates.push(rate) && side.costs.push((1e6 * (processorTime(side.of) - before)) / results.length);
      }
    }
    return {
      ratio: median(sides[0].rates.map((rate, i) => rate / sides[1].rates[i])),
      rates: sides.map((side) => median(side.rates)),
      costs: sides.map((side) => median(side.costs)),
    };
  } finally {
    session.close();
    await clients.close();
    await others.close();
    await front.stop();
  }
}

// Seconds of processor time of the whole process so far.
function processorTime({ process: { pid } }) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export async function p2(quick) {
  const plan = quick
    ? { calls: 2_000, rate: 1000, seconds: 3, many: 32, rounds: 2 }
    : { calls: 10_000, rate: 1000, seconds: 10, many: 32, rounds: 5 };
  const within = await inside(['refusals', plan.calls, plan.seconds]);
  const [dead, half] = [newFolder(), newFolder()];
  const sick = path.join(newFolder(), 'sick');
  fs.writeFileSync(sick, '');
  const mcpServers = {
    ...healthy(18),
    dead: small({ JOURNAL: dead, SICK: sick }),
    half: small({ JOURNAL: half }, { timeoutMs: LONG, toolBreaker: { countToolErrors: true, cooldownMs: COOLDOWN } }),
  };
  const config = { mcpServers, breaker: { cooldownMs: COOLDOWN }, pool: { callsAtOnce: 10_100 }, http: { maxConnections: 15_000 } };
  return withGateway('P2', config, async (gateway) => {
    const clients = await new Clients(gateway).more(40);
    await trip(clients, 'dead__echo');
    await trip(clients, 'half__err');
    const linesBefore = gateway.breakerLines().length;
    await openLoop({ rate: 1000, seconds: quick ? 3 : 8 }, (i) => clients.call(i % 2 ? 'dead__echo' : 'half__err', {}));
    const loop = await closed(gateway, { many: plan.many, rounds: plan.rounds, seconds: quick ? 1 : 2 });
    const waiting = await parked(gateway, ['half__hang'], plan.calls);
    await pause(1000);
    const before = contacts(dead, half);
    const { results, late } = await openLoop(plan, (i) => clients.call(i % 2 ? 'dead__echo' : 'half__err', {}));
    await pause(200);
    const touched = contacts(dead, half) - before;
    const out = waiting.calls - (await waiting.back());
    waiting.close();
    await clients.close();
    const refused = results.filter(isRefused);
    const millis = refused.map((one) => one.millis);
    const [p50, p99] = [quantile(millis, 0.5), quantile(millis, 0.99)];
    const lines = gateway.breakerLines();
    return {
      figures: [
        ['inside, frame read to answer handed over, p50', within.p50, 0.1, within.p50 <= 0.1, 'ms'],
        ['inside, p99', within.p99, 5, within.p99 <= 5, 'ms'],
        ['calls hanging on the same server meanwhile, inside and outside', Math.min(out, within.hanging), plan.calls, Math.min(out, within.hanging) >= plan.calls],
        [`at the client, open loop at ${plan.rate}/s, p50`, p50, 1, p50 <= 1, 'ms'],
        ['at the client, p99', p99, 10, p99 <= 10, 'ms'],
        ['answers that were no refusal', results.length - refused.length, 0, refused.length === results.length],
        ['closed loop, calls/s against a front that answers at once', loop.ratio, 0.6, loop.ratio >= 0.6, 'x'],
        ['starts and calls at the servers during refusals', touched, 0, touched === 0],
        ['lines of the log for two trips', lines.length, 2, lines.length === 2 && linesBefore === 2],
      ],
      notes:
        `half of the refusals by a server's breaker, half by a tool's; the generator was late by ${late.toFixed(1)} ms at p99; ` +
        `closed loop of ${plan.many}: ${loop.rates.map((rate) => rate.toFixed(0)).join(' against ')} calls/s, ` +
        `${loop.costs.map((cost) => cost.toFixed(0)).join(' against ')} µs of the gateway's processor time a call`,
      within,
      loop,
    };
  });
}
