// The cost of a call through a connector, against a gateway that is not shared: with the same server, in turns in one run. A
// link is a client at the gateway's socket, without a connector.
import { median } from '../load.mjs';
import { child } from '../contenders.mjs';
import { quantile } from '../promises/open.mjs';
import { Home, withHome } from './home.mjs';

const P50_GOAL = 0.08;
const RATE_GOAL = 0.85;
const QUICK = { rounds: 6, calls: 500, warm: 2_000, sessions: 8, seconds: 1, warmSeconds: 2 };
const FULL = { rounds: 20, calls: 1_500, warm: 8_000, sessions: 32, seconds: 3, warmSeconds: 8 };
// How many clients start at a time.
const AT_ONCE = 4;

async function one(client) {
  const { text, broken } = await client.call('echo__echo', { message: 'hello' });
  if (text !== 'Echo: hello') {
    throw new Error(`wrong answer: ${broken ?? text}`);
  }
}

async function p50(client, calls) {
  const millis = [];
  for (let i = 0; i < calls; i++) {
    const begun = performance.now();
    await one(client);
    millis.push(performance.now() - begun);
  }
  return quantile(millis, 0.5);
}

// Calls per second of clients that each call again as soon as they have an answer.
async function rate(clients, seconds) {
  const begun = performance.now();
  const until = begun + 1000 * seconds;
  let calls = 0;
  const run = async (client) => {
    for (; performance.now() < until; calls++) {
      await one(client);
    }
  };
  await Promise.all(clients.map(run));
  return (1000 * calls) / (performance.now() - begun);
}

const KINDS = ['unshared', 'link', 'connector'];
const opened = (home) => ({
  unshared: () => home.client({ share: 'off' }).open(),
  connector: () => home.client().open(),
  link: () => home.link().open(),
});

// Each kind once in a round, in rotating order; a list of figures of each kind.
async function inTurns(rounds, measure) {
  const figures = Object.fromEntries(KINDS.map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < KINDS.length; i++) {
      const kind = KINDS[(i + round) % KINDS.length];
      figures[kind].push(await measure(kind));
    }
  }
  return figures;
}

async function single(home, plan) {
  const open = opened(home);
  const clients = { unshared: await open.unshared(), connector: await open.connector(), link: await open.link() };
  for (const kind of KINDS) {
    await p50(clients[kind], plan.warm);
  }
  return inTurns(plan.rounds, (kind) => p50(clients[kind], plan.calls));
}

async function together(home, plan) {
  const open = opened(home);
  const clients = { unshared: [], connector: [], link: [] };
  for (const kind of ['unshared', 'connector', 'link']) {
    while (clients[kind].length < plan.sessions) {
      const more = Math.min(AT_ONCE, plan.sessions - clients[kind].length);
      clients[kind].push(...(await Promise.all(Array.from({ length: more }, open[kind]))));
    }
  }
  for (const kind of KINDS) {
    await rate(clients[kind], plan.warmSeconds);
  }
  return inTurns(plan.rounds, (kind) => rate(clients[kind], plan.seconds));
}

const pairs = (figures, kind, compare) => median(figures[kind].map((value, i) => compare(value, figures.unshared[i])));

const differences = (times) => times.connector.map((value, i) => (value - times.unshared[i]).toFixed(2));

export async function cost(quick) {
  const plan = quick ? QUICK : FULL;
  const servers = () => ({ echo: { command: process.execPath, args: [child], era: 'legacy' } });
  const idle = { share: { mode: 'off', idleMs: 500 } };
  const times = await withHome(new Home(servers, idle), async (home) => ({ figures: [], ...(await single(home, plan)) }));
  const rates = await withHome(new Home(servers, idle), async (home) => ({ figures: [], ...(await together(home, plan)) }));
  const beyond = (kind) => pairs(times, kind, (value, other) => value - other);
  const ratio = (kind) => pairs(rates, kind, (value, other) => value / other);
  const left = times.figures[0][1] + rates.figures[0][1];
  const many = `${plan.sessions} sessions`;
  return {
    figures: [
      ...KINDS.map((kind) => [`one session, p50, ${kind}`, median(times[kind]), 'none', null, 'ms']),
      ['p50 beyond unshared, connector, median of pairs', beyond('connector'), P50_GOAL, beyond('connector') <= P50_GOAL, 'ms'],
      ['p50 beyond unshared, link, median of pairs', beyond('link'), 'none', null, 'ms'],
      ...KINDS.map((kind) => [`${many}, calls/s, ${kind}`, Math.round(median(rates[kind])), 'none', null]),
      [`${many}, calls/s against unshared, connector`, ratio('connector'), RATE_GOAL, ratio('connector') >= RATE_GOAL, 'x'],
      [`${many}, calls/s against unshared, link`, ratio('link'), 'none', null, 'x'],
      ['processes left over at the end', left, 0, left === 0],
    ],
    notes: `${plan.rounds} rounds; p50 of the connector beyond unshared in each, ms: ${differences(times).join(', ')}`,
  };
}
