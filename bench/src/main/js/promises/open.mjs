// Open-loop load: calls are sent when they are due, whether or not earlier ones have returned.
import { pause } from '../processes.mjs';

export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? NaN : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

export const faultOf = (result) => result._meta?.['fusebox/error'];

// Idle clients; their number is the maximum concurrency so far.
export class Clients {
  constructor(gateway) {
    this.gateway = gateway;
    this.free = [];
    this.all = [];
  }

  async more(many) {
    const opened = await Promise.all(Array.from({ length: many }, () => this.gateway.session()));
    this.free.push(...opened);
    this.all.push(...opened);
    return this;
  }

  // The result of a tool, and the time from writing the request to reading the response.
  //
  // `about` goes into `_meta`.
  async call(tool, given, about = {}) {
    const begun = performance.now();
    let session = this.idle();
    try {
      session ??= await this.one();
      const result = await session.request('tools/call', { name: tool, arguments: given, _meta: about });
      const millis = performance.now() - begun;
      return { millis, text: result.content?.[0]?.text ?? '', isError: result.isError === true, fault: faultOf(result) };
    } catch (failure) {
      return { millis: performance.now() - begun, broken: failure.message };
    } finally {
      session && this.free.push(session);
    }
  }

  // The gateway closes idle connections.
  idle() {
    for (let session = this.free.pop(); session; session = this.free.pop()) {
      if (!session.channel.socket.destroyed) {
        return session;
      }
    }
    return undefined;
  }

  async one() {
    const session = await this.gateway.session();
    this.all.push(session);
    return session;
  }

  async close() {
    await Promise.all(this.all.map((session) => session.close()));
  }
}

// `ask(i)` starts the i-th call and resolves to its outcome. Returns all outcomes, and the delays of their starts.
export async function openLoop({ rate, seconds }, ask) {
  const total = Math.round(rate * seconds);
  const begun = performance.now();
  const pending = [];
  const late = [];
  while (pending.length < total) {
    const now = performance.now() - begun;
    const due = Math.min(total, Math.floor((now * rate) / 1000) + 1);
    while (pending.length < due) {
      late.push(now - (pending.length * 1000) / rate);
      pending.push(ask(pending.length));
    }
    await pause(1);
  }
  return { results: await Promise.all(pending), late: quantile(late, 0.99) };
}

// The figures of healthy echo calls: anything but an echo is an error.
export function echoes({ results, late }) {
  const good = results.filter((one) => one.text?.startsWith('Echo: '));
  const bad = results.filter((one) => !one.text?.startsWith('Echo: '));
  const millis = good.map((one) => one.millis);
  return {
    p50: quantile(millis, 0.5),
    p99: quantile(millis, 0.99),
    calls: results.length,
    errors: bad.length,
    firstError: bad[0]?.broken ?? bad[0]?.text,
    late,
  };
}

// Closed loop: the given number of clients, each of which calls again as soon as it has a response; calls per second.
export async function closedLoop(clients, { many, seconds }, ask) {
  const begun = performance.now();
  const until = begun + 1000 * seconds;
  const results = [];
  const one = async () => {
    while (performance.now() < until) {
      results.push(await ask());
    }
  };
  await Promise.all(Array.from({ length: many }, one));
  return { results, rate: (results.length * 1000) / (performance.now() - begun) };
}
