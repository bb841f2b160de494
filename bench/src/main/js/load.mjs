// Slices of closed-loop load: each session calls again as soon as it has a response.
import path from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EventSession, StatelessSession } from './sessions.mjs';

const run = promisify(execFile);

export const median = (values) => quantile([...values].sort((a, b) => a - b), 0.5);

function quantile(sorted, share) {
  if (sorted.length === 0) {
    return NaN;
  }
  if (share === 0.5 && sorted.length % 2 === 0) {
    return (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
  }
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

// The result of one slice; a failed call is counted and not timed.
class Tally {
  constructor() {
    this.millis = [];
    this.failures = 0;
  }

  async time(work) {
    const begun = performance.now();
    try {
      await work();
      this.millis.push(performance.now() - begun);
    } catch (failure) {
      this.failures++;
      this.why = failure.message;
      // A gateway that has ended must not be called in a busy loop.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  figures(seconds) {
    const sorted = this.millis.sort((a, b) => a - b);
    return {
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      rate: sorted.length / seconds,
      failures: this.failures,
      why: this.why,
    };
  }
}

// One session, the given number of calls.
export async function single(contender, calls, session) {
  const tally = new Tally();
  const begun = performance.now();
  for (let i = 0; i < calls; i++) {
    await tally.time(() => contender.call(session));
  }
  return tally.figures((performance.now() - begun) / 1000);
}

// Closed-loop load of these sessions for the given number of seconds.
export async function together(contender, sessions, seconds) {
  const tally = new Tally();
  const begun = performance.now();
  const until = begun + 1000 * seconds;
  const ask = async (session) => {
    while (performance.now() < until) {
      await tally.time(() => contender.call(session));
    }
  };
  await Promise.all(sessions.map(ask));
  return tally.figures((performance.now() - begun) / 1000);
}

// Opens the sessions and measures after a warm-up.
export async function crowd(contender, { sessions, warm, seconds }) {
  const open = await Promise.all(Array.from({ length: sessions }, () => contender.session()));
  try {
    await together(contender, open, warm);
    const figures = await together(contender, open, seconds);
    return { ...figures, memory: contender.memory() };
  } finally {
    await Promise.all(open.map((session) => session.close()));
  }
}

// The same by another load client.
export async function foreign(contender, { sessions, warmup, calls }) {
  const wrapped = contender.wrap('$ARGS');
  const wrap = typeof wrapped === 'string' ? [] : ['--wrap', JSON.stringify(wrapped).replace('"$ARGS"', '$ARGS')];
  const client = contender.Session === EventSession ? ['sse'] : ['raw', ...(contender.Session === StatelessSession ? ['--modern'] : [])];
  const words = ['--url', contender.url, '--tool', contender.tool, '--args', '{"message":"hello"}', ...wrap];
  const bounds = ['--sessions', sessions, '--calls', calls, '--warmup', warmup, '--json'];
  const program = path.resolve(process.env.FUSEBOX_LOAD);
  const { stdout } = await run(process.execPath, [program, '--client', ...client, ...words, ...bounds].map(String));
  const told = JSON.parse(stdout);
  return {
    p50: told.p50_ms,
    p99: told.p99_ms,
    rate: told.calls_per_s,
    failures: told.errors,
    memory: contender.memory(),
  };
}

// A result of five megabytes, repeated; the median counts.
export async function big(contender, times, session) {
  const tally = new Tally();
  for (let i = 0; i < times; i++) {
    await tally.time(() => contender.big(session, 5 * 1024));
  }
  return tally.figures(1);
}
