// P14: after hours of calls, crashes, reconnects, reloads and disconnecting clients no resources are leaked.
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { scratch } from '../contenders.mjs';
import { pause } from '../processes.mjs';
import { HttpSession } from '../sessions.mjs';
import { healthy, small, withGateway } from './gateway.mjs';
import { Clients, openLoop } from './open.mjs';

const RATE = 300;
// The idle time after which an abandoned session ends.
const SESSION_IDLE = 2_000;

// Its current resources: open files, threads including virtual ones, processes.
function holdings(gateway) {
  const { pid } = gateway.process;
  const dump = path.join(scratch, `threads-${pid}.txt`);
  fs.rmSync(dump, { force: true });
  execFileSync(path.join(process.env.JAVA_HOME, 'bin/jcmd'), [String(pid), 'Thread.dump_to_file', dump], { encoding: 'utf8' });
  const threads = fs.readFileSync(dump, 'utf8').match(/^#\d+ "fusebox[^"]*"/gm) ?? [];
  fs.rmSync(dump);
  const processes = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).trim().split('\n');
  return {
    files: fs.readdirSync(`/proc/${pid}/fd`).length,
    threads: threads.length,
    processes: processes.length,
    names: threads.map((line) => line.replace(/^#\d+ "|"$/g, '')).sort(),
  };
}

// The names of threads that are there more often than before.
function surplus(before, after) {
  const left = [...before];
  return after.filter((name) => {
    const at = left.indexOf(name);
    return at < 0 || !left.splice(at, 1);
  });
}

// Its resources when idle: the minimum of several samples, as long as they decrease.
async function quiet(gateway, most) {
  let least = holdings(gateway);
  const isOver = () => most && ['files', 'threads', 'processes'].some((what) => least[what] > most[what]);
  for (const until = performance.now() + 60_000, begun = performance.now(); performance.now() < until; await pause(1000)) {
    const now = holdings(gateway);
    least = {
      files: Math.min(now.files, least.files),
      threads: Math.min(now.threads, least.threads),
      processes: Math.min(now.processes, least.processes),
      names: now.threads < least.threads ? now.names : least.names,
    };
    if (performance.now() - begun > 10_000 && !isOver()) {
      break;
    }
  }
  return { ...least, heap: gateway.heap() };
}

function reload(gateway, config, version) {
  const servers = { ...config.mcpServers, moves: small({ VERSION: String(version) }) };
  fs.writeFileSync(gateway.file + '~', JSON.stringify({ ...config, mcpServers: servers }));
  fs.renameSync(gateway.file + '~', gateway.file);
}

// All kinds of load at once, for the given number of seconds.
async function busy(gateway, config, seconds, sum) {
  const clients = await new Clients(gateway).more(20);
  const end = performance.now() + 1000 * seconds;
  const every = async (millis, what) => {
    while (performance.now() < end) {
      await what();
      await pause(millis);
    }
  };
  const calls = openLoop({ rate: RATE, seconds }, (i) => clients.call(`s${1 + (i % 4)}__echo`, { message: 'm' + i }));
  await Promise.all([
    calls.then(({ results }) => {
      sum.calls += results.length;
      sum.failed += results.filter(({ text }) => !text?.startsWith('Echo: ')).length;
    }),
    every(400, async () => {
      await clients.call('ill__crash', {});
      await clients.call('ill__echo', { message: 'm' });
      sum.reconnects++;
    }),
    every(2_500, async () => {
      reload(gateway, config, ++sum.reloads);
      await clients.call('moves__echo', { message: 'm' });
    }),
    every(100, async () => {
      const session = await new HttpSession(gateway.url).open();
      session.channel.socket.destroy();
      sum.abandoned++;
    }),
  ]);
  await clients.close();
}

export async function p14(quick, long) {
  const minutes = long ? 30 : quick ? 0.5 : 3;
  const warming = quick ? 10 : 20;
  const config = {
    mcpServers: { ...healthy(4), ill: small(), moves: small({ VERSION: '0' }) },
    recovery: { maxCrashes: 0, restartDelaysMs: [50] },
    breaker: { failureThreshold: 1_000_000 },
    toolBreaker: { enabled: false },
    http: { sessionIdleMs: SESSION_IDLE },
    pool: { drainMs: 100 },
  };
  return withGateway('P14', config, async (gateway) => {
    const sum = { calls: 0, failed: 0, reconnects: 0, reloads: 0, abandoned: 0 };
    await busy(gateway, config, warming, sum);
    const before = await quiet(gateway);
    const warm = { ...sum };
    await busy(gateway, config, minutes * 60, sum);
    const after = await quiet(gateway, before);
    const reconnects = sum.reconnects - warm.reconnects;
    const slope = (after.heap - before.heap) / (minutes / 60) / (reconnects / 1000);
    const more = (what) => Math.max(0, after[what] - before[what]);
    return {
      figures: [
        ['open files more than at the beginning', more('files'), 0, more('files') === 0],
        ['threads more, virtual ones included', more('threads'), 0, more('threads') === 0],
        ['processes more', more('processes'), 0, more('processes') === 0],
        ['heap after a full collection, more', after.heap - before.heap, 4, after.heap - before.heap <= 4, 'MB'],
        ['the same for an hour and a thousand reconnects', slope, 1, long ? slope < 1 : null, 'MB'],
        [`calls of ${sum.calls} that failed`, sum.failed, 0, sum.failed === 0],
      ],
      notes:
        `${minutes} min: ${sum.calls - warm.calls} calls, ${reconnects} crashes and reconnects, ${sum.reloads - warm.reloads} reloads, ` +
        `${sum.abandoned - warm.abandoned} clients that left without a word; heap ${before.heap.toFixed(1)} MB before, ${after.heap.toFixed(1)} MB after` +
        (more('threads') === 0 ? '' : `; more of these threads: ${surplus(before.names, after.names).join(', ')}`),
    };
  });
}
