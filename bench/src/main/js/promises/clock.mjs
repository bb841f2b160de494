// P22: jumps of the wall clock by days have no effect. The gateway runs under libfaketime, which changes its wall clock and
// not its monotonic clock.
import fs from 'node:fs';
import path from 'node:path';
import { pause } from '../processes.mjs';
import { Gateway, healthy, newFolder, small } from './gateway.mjs';
import { Clients } from './open.mjs';

const PLACES = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib', '/usr/local/lib'];
const library = () => PLACES.map((place) => path.join(place, 'faketime/libfaketime.so.1')).find((file) => fs.existsSync(file));
const worst = (values) => Math.max(...values);

class Misled extends Gateway {
  constructor(config, file) {
    super('P22', config);
    this.environment = {
      LD_PRELOAD: library(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    };
  }
}

async function timed(work) {
  const begun = performance.now();
  return { told: await work(), millis: performance.now() - begun };
}

// Measured durations: a call that is never answered, a breaker's cooldown, an idle timeout.
async function measured(gateway, clients, folder, rounds) {
  const [TIMEOUT, COOLDOWN, IDLE] = [1000, 2000, 3000];
  const off = { timeout: [], cooldown: [], idle: [] };
  for (let i = 0; i < rounds; i++) {
    const hung = await timed(() => clients.call('mute__hang', {}));
    off.timeout.push(Math.abs(hung.millis - TIMEOUT));
    await clients.call('ill__err', {});
    const tripped = performance.now();
    await clients.call('ill__crash', {});
    let refused = await clients.call('ill__echo', { message: 'm' });
    const isOpen = refused.fault?.code === 'breaker_open';
    while (refused.fault?.code === 'breaker_open') {
      await pause(10);
      refused = await clients.call('ill__echo', { message: 'm' });
    }
    off.cooldown.push(isOpen ? Math.abs(performance.now() - tripped - COOLDOWN) : Infinity);
    await clients.call('idle__echo', { message: 'm' });
    const used = performance.now();
    const pids = fs.readdirSync(folder).map((file) => Number.parseInt(file, 10));
    const isThere = () => pids.some((pid) => fs.existsSync(`/proc/${pid}`));
    while (isThere() && performance.now() - used < 10 * IDLE) {
      await pause(10);
    }
    off.idle.push(Math.abs(performance.now() - used - IDLE));
  }
  return { timeout: worst(off.timeout), cooldown: worst(off.cooldown), idle: worst(off.idle) };
}

async function trial(jumps, rounds) {
  const folder = newFolder();
  const file = path.join(newFolder(), 'time');
  fs.writeFileSync(file, '+0d\n');
  const breaker = { failureThreshold: 1, cooldownMs: 2000, cooldownGrowth: 1, jitter: 0 };
  const mcpServers = {
    ...healthy(2),
    // It is alive, and never answers this one tool.
    mute: small({}, { timeoutMs: 1000, breaker: { failureThreshold: 1_000_000 }, toolBreaker: { enabled: false } }),
    // Without tool breakers its crashes count for the server.
    ill: small({}, { breaker, toolBreaker: { enabled: false } }),
    idle: small({ JOURNAL: folder }),
  };
  const gateway = new Misled({ mcpServers, pool: { idleTimeoutMs: 3000 }, recovery: { maxCrashes: 0, restartDelaysMs: [50] } }, file);
  let days = 0;
  const jump = () => {
    days = days > 0 ? -2 : 2;
    fs.writeFileSync(file, (days > 0 ? '+' : '') + days + 'd\n');
  };
  let timer;
  try {
    await gateway.start();
    const clients = await new Clients(gateway).more(4);
    await clients.call('mute__echo', { message: 'm' });
    timer = jumps ? setInterval(jump, 170) : undefined;
    let [calls, failed, working] = [0, 0, true];
    const beside = (async () => {
      for (; working; await pause(20)) {
        failed += (await clients.call('s1__echo', { message: 'm' })).text?.startsWith('Echo: ') ? 0 : 1;
        calls++;
      }
    })();
    const off = await measured(gateway, clients, folder, rounds);
    const { fault } = await clients.call('mute__hang', {});
    working = false;
    await beside;
    await clients.close();
    const isMisled = Math.abs(gateway.log.match(/^\d{4}-\d{2}-\d{2}/gm)?.map((day) => Date.parse(day) - Date.now()).reduce((far, one) => Math.max(far, Math.abs(one)), 0) ?? 0) > 86_400_000;
    return { off, calls, failed, isMisled, code: fault?.code };
  } finally {
    clearInterval(timer);
    await gateway.stop();
  }
}

export async function p22(quick) {
  if (!library()) {
    return { figures: [['it could be measured', 'no', 'yes', false]], notes: 'there is no libfaketime: apt-get install faketime' };
  }
  const rounds = quick ? 1 : 4;
  const quiet = await trial(false, rounds);
  const jumping = await trial(true, rounds);
  const row = (what, which) => {
    const limit = quiet.off[which] + 150;
    return [`${what}, away from what is configured, at most`, jumping.off[which], limit, Number.isFinite(limit) && jumping.off[which] <= limit, 'ms'];
  };
  return {
    figures: [
      row('the end of a call that is never answered', 'timeout'),
      row('the end of a cooldown', 'cooldown'),
      row('the end of a server that nobody uses', 'idle'),
      [`calls of ${jumping.calls} beside that which failed`, jumping.failed, 0, jumping.failed === 0],
    ],
    notes:
      `the wall clock goes two days forward or back six times a second; without that the three are ${quiet.off.timeout.toFixed(0)}, ${quiet.off.cooldown.toFixed(0)} and ` +
      `${quiet.off.idle.toFixed(0)} ms away, and 150 ms more are given; the gateway ${jumping.isMisled ? 'has written the wrong days into its log' : 'has written nothing that shows the wrong days'}`,
  };
}
