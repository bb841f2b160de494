// Steady load of clients of both eras on tools that record their execution, and what became of each call.
import fs from 'node:fs';
import path from 'node:path';
import { pause } from '../processes.mjs';
import { scripted } from './home.mjs';

export const ERAS = ['legacy', 'legacy', 'legacy', 'modern', 'modern'];
const CALLS_PER_SECOND = 50;
const INTERVAL = (1000 * ERAS.length) / CALLS_PER_SECOND;
// A call takes up to this long, so that some are in flight at any time.
const LONGEST = 60;

// One server of each era. Their tools say nothing about repetition, so a call may be executed once at most.
export const bothEras = (folder) => ({
  old: scripted(folder, {}, { era: 'legacy' }),
  new: scripted(folder, { ERA: 'modern' }, { era: 'modern' }),
});

export class Load {
  constructor(clients) {
    this.clients = clients;
    this.calls = clients.map(() => []);
    this.runs = clients.map((client, i) => this.run(client, i));
  }

  // Calls are sent when they are due, whether or not earlier ones have returned.
  async run(client, i) {
    const begun = performance.now() + (INTERVAL * i) / this.clients.length;
    const pending = [];
    for (let n = 0; !this.ends; n++) {
      await pause(Math.max(0, begun + n * INTERVAL - performance.now()));
      const call = { key: `c${i}-${n}`, client: i, sentAt: performance.now() };
      this.calls[i].push(call);
      const given = { key: call.key, ms: Math.floor(Math.random() * LONGEST) };
      pending.push(client.call((n % 2 ? 'old' : 'new') + '__write', given).then((outcome) => Object.assign(call, outcome)));
    }
    await Promise.all(pending);
  }

  all() {
    return this.calls.flat();
  }

  async end() {
    this.ends = true;
    await Promise.all(this.runs);
  }
}

export const isAnswered = (call) => call.answeredAt !== undefined;
export const isGood = (call) => isAnswered(call) && !call.isError && call.text === call.key;
export const isUnknown = (call) => call.fault?.outcome === 'unknown';

// The processes that executed each call.
export function executions(folder) {
  const found = new Map();
  const file = path.join(folder, 'executed');
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  lines.forEach((line) => {
    const [key, pid] = line.split(' ');
    found.set(key, [...(found.get(key) ?? []), pid]);
  });
  return found;
}

// What the journal says about the calls: executed twice; answered, but not executed; executed, but said not to be.
export function faultsOf(calls, executed) {
  const wasExecuted = (call) => executed.has(call.key);
  return {
    twice: [...executed.values()].filter((pids) => pids.length > 1).length,
    wrong: calls.filter((call) => isGood(call) && !wasExecuted(call)).length
      + calls.filter((call) => !isGood(call) && !isUnknown(call) && wasExecuted(call)).length,
  };
}
