// P1 and P17: ten thousand pending calls do not affect other calls.
import { median } from '../load.mjs';
import { pause } from '../processes.mjs';
import { healthy, journals, newFolder, parked, small, withGateway } from './gateway.mjs';
import { Clients, echoes, openLoop } from './open.mjs';

const LONG = 600_000;
// More than there are concurrently, including those of the measuring client.
const ROOM = { maxConnections: 15_000 };

// Waits until the servers have received this number of calls.
async function arrived(folder, calls) {
  const seen = () => journals(folder).reduce((sum, one) => sum + (one.calls.hang ?? 0), 0);
  for (const until = Date.now() + 30_000; seen() < calls && Date.now() < until; await pause(100));
  return seen();
}

const beside = (clients, plan, servers) =>
  openLoop({ rate: plan.rate, seconds: plan.seconds }, (i) =>
    clients.call(`s${1 + (i % servers)}__echo`, { message: 'm' + i }),
  ).then(echoes);

// Each pair has its own gateway: calls of abandoned sessions run until they time out.
async function pair(plan) {
  const folder = newFolder();
  const hanging = small({ MODE: 'silent', JOURNAL: folder }, { timeoutMs: LONG });
  const config = { mcpServers: { ...healthy(19), bad: hanging }, pool: { callsAtOnce: 10_000 }, http: ROOM };
  return withGateway('P1', config, async (gateway) => {
    const clients = await new Clients(gateway).more(40);
    await beside(clients, { rate: 1000, seconds: plan.warm }, 19);
    const quiet = await beside(clients, plan, 19);
    const waiting = await parked(gateway, ['bad__hang'], plan.calls);
    const out = await arrived(folder, plan.calls);
    const disturbed = await beside(clients, plan, 19);
    const settled = await beside(clients, plan, 19);
    const heap = gateway.heap();
    const back = await waiting.back();
    waiting.close();
    await clients.close();
    return { quiet, disturbed, settled, heap, out, back };
  });
}

// One of twenty servers hangs with all its calls pending; the other nineteen are measured in pairs, with and without it.
export async function p1(quick) {
  const plan = quick ? { pairs: 2, warm: 3, seconds: 3, rate: 300, calls: 2_000 } : { pairs: 5, warm: 6, seconds: 6, rate: 300, calls: 10_000 };
  const pairs = [];
  for (let i = 0; i < plan.pairs; i++) {
    pairs.push(await pair(plan));
  }
  const p99 = (side) => median(pairs.map((pair) => pair[side].p99));
  const ratio = (side) => median(pairs.map((pair) => pair[side].p99 / pair.quiet.p99));
  const errors = pairs.reduce((sum, pair) => sum + pair.quiet.errors + pair.disturbed.errors + pair.settled.errors, 0);
  const out = Math.min(...pairs.map((pair) => pair.out - pair.back));
  return {
    figures: [
      ['calls outstanding at the server that hangs', out, plan.calls, out >= plan.calls],
      ["others' p99, against undisturbed, median of pairs", ratio('disturbed'), 1.5, ratio('disturbed') <= 1.5, 'x'],
      [`the same, ${plan.seconds} s later`, ratio('settled'), 1.5, ratio('settled') <= 1.5, 'x'],
      ["others' p99, median of pairs", p99('disturbed'), 20, p99('disturbed') <= 20, 'ms'],
      ['errors of the others', errors, 0, errors === 0],
    ],
    notes: `p99 undisturbed ${p99('quiet').toFixed(2)} ms; ${plan.rate} calls/s open loop over 19 servers for ${plan.seconds} s in each of ${plan.pairs} pairs; a gateway of its own for each pair; heap after a full collection beside the calls at most ${Math.max(...pairs.map((one) => one.heap)).toFixed(0)} MB`,
    pairs,
  };
}

// Five servers are at their limit and have full queues; ten others are called concurrently, and the full ones as well.
export async function p17(quick) {
  const plan = quick ? { seconds: 4, rate: 200, each: 200 } : { seconds: 15, rate: 200, each: 1000 };
  const full = Object.fromEntries(Array.from({ length: 5 }, (_, i) => ['full' + i, small({ MODE: 'silent' }, { timeoutMs: LONG })]));
  const pool = { callsAtOnce: plan.each, callQueueLength: plan.each };
  return withGateway('P17', { mcpServers: { ...healthy(10), ...full }, pool, http: ROOM }, async (gateway) => {
    const clients = await new Clients(gateway).more(40);
    await beside(clients, { rate: 1000, seconds: quick ? 3 : 8 }, 10);
    const normal = await beside(clients, plan, 10);
    const waiting = await parked(gateway, Object.keys(full).map((name) => name + '__hang'), 10 * plan.each);
    await pause(1000);
    const asFull = openLoop({ rate: plan.rate, seconds: plan.seconds }, (i) => clients.call(`full${i % 5}__echo`, {}));
    const accepted = await beside(clients, plan, 10);
    const { results } = await asFull;
    const heap = gateway.heap();
    const memory = gateway.memory();
    const out = waiting.calls - (await waiting.back());
    waiting.close();
    await clients.close();
    const honest = results.filter(({ fault }) => fault?.code === 'overloaded' && fault.retryAfterMs > 0 && fault.outcome === 'not_sent');
    const limit = Math.max(2 * normal.p99, normal.p99 + 10);
    return {
      figures: [
        ['calls in flight or in turn', out, 10 * plan.each, out >= 10 * plan.each],
        ['heap in use after a full collection', heap, 512, heap <= 512, 'MB'],
        ['refusals without `overloaded`, `not_sent` and `retryAfterMs`', results.length - honest.length, 0, honest.length === results.length],
        ['p99 of accepted calls', accepted.p99, limit, accepted.p99 <= limit, 'ms'],
        ['errors of accepted calls', accepted.errors + normal.errors, 0, accepted.errors + normal.errors === 0],
      ],
      notes: `normal p99 ${normal.p99.toFixed(2)} ms; ${plan.rate} calls/s to ten servers and ${plan.rate} to the five that are full, for ${plan.seconds} s; ${memory.toFixed(0)} MB resident`,
      normal,
      accepted,
    };
  });
}
