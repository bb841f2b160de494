// A newer release takes over from the shared gateway under the calls of five clients of both eras, while a sixth client has
// a server process of its own.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pause, root, until } from '../processes.mjs';
import { Home, scripted, withHome } from './home.mjs';
import { bothEras, ERAS, executions, faultsOf, isGood, Load } from './load.mjs';
import { runs } from './proc.mjs';

const QUICK = 1;
const FULL = 10;
const LIMIT = 30_000;
// Seconds of load before and after.
const BEFORE = 2_000;
const AFTER = 5_000;

// Another build of this application, as a package has it, with caches of its own. Made once for each build.
function nextRelease() {
  const app = path.join(root, 'build/app', fs.readFileSync(path.join(root, 'build/app/current'), 'utf8').trim());
  const folder = path.join(root, 'bench/target/share/next');
  const copy = path.join(folder, 'app', path.basename(app) + '-next');
  const launcher = path.join(folder, 'bin/fusebox');
  if (!fs.existsSync(copy) || builtAt(copy) <= builtAt(app)) {
    fs.rmSync(folder, { recursive: true, force: true });
    for (const part of ['lib', 'worker']) {
      fs.cpSync(path.join(app, part), path.join(copy, part), { recursive: true });
    }
    fs.mkdirSync(path.dirname(launcher));
    fs.copyFileSync(path.join(root, 'packaging/fusebox'), launcher);
    fs.cpSync(path.join(root, 'launcher'), path.join(folder, 'launcher'), { recursive: true });
    fs.symlinkSync(process.env.JAVA_HOME, path.join(folder, 'runtime'));
    fs.writeFileSync(path.join(copy, 'built'), 'bench\n');
    execFileSync(launcher, ['prepare'], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return launcher;
}

const builtAt = (app) => fs.statSync(path.join(app, 'built')).mtimeMs;

// A client whose calls go to a process of its own, one after the other.
class Settled {
  constructor(client) {
    this.client = client;
    this.processes = new Set();
    this.calls = 0;
    this.failed = [];
  }

  async call() {
    const { text, isError, broken } = await this.client.call('own__who', { key: 'k' });
    this.calls++;
    isError ? this.failed.push(broken ?? text) : this.processes.add(text.split(' ')[1]);
  }

  async run() {
    while (!this.ends) {
      await this.call();
      await pause(100);
    }
  }
}

const servers = (folder) => ({ ...bothEras(folder), own: scripted(folder, { TOKEN: 'own' }, { era: 'legacy', isolation: 'session' }) });

// One upgrade.
async function upgrade(home, launcher) {
  // First, so that the server's tools are listed on its process: a client has a process of its own from then on, too.
  const settled = new Settled(await home.client().open());
  await settled.call();
  const clients = await Promise.all(ERAS.map((era) => home.client({ era }).open()));
  const running = settled.run();
  const load = new Load(clients);
  await pause(BEFORE);
  const old = await home.gateway();
  const begun = performance.now();
  const next = await home.client({ launcher: [launcher] }).open();
  const opened = performance.now() - begun;
  const first = await next.call('old__who', { key: 'first' });
  await pause(AFTER);
  const stays = runs(old);
  const both = home.gateways().length;
  settled.ends = true;
  await running;
  await settled.client.close();
  const exit = await until(() => !runs(old), LIMIT);
  await load.end();
  const last = await next.call('old__who', { key: 'last' });
  const calls = load.all();
  const executed = executions(home.folder);
  return {
    calls,
    settled,
    opened,
    exit,
    stayed: stays && both === 2,
    moved: load.calls.filter((some) => hasMoved(some, begun, executed)).length,
    restarted: clients.filter((client) => client.hasEnded).length,
    unserved: [first, last].filter(({ isError }) => isError).length,
    faults: faultsOf(calls, executed),
  };
}

// Whether the last calls of a client went to other processes than those before the upgrade.
function hasMoved(calls, begun, executed) {
  const pidsOf = (some) => some.flatMap((call) => executed.get(call.key) ?? []);
  const before = pidsOf(calls.filter((call) => call.sentAt < begun));
  return pidsOf(calls.slice(-4)).every((pid) => !before.includes(pid));
}

export async function upgrades(quick) {
  const times = quick ? QUICK : FULL;
  const launcher = nextRelease();
  const all = [];
  let left = 0;
  for (let i = 0; i < times; i++) {
    const { figures, ...one } = await withHome(new Home(servers), async (home) => ({ figures: [], ...(await upgrade(home, launcher)) }));
    left += figures.at(-1)[1];
    all.push(one);
  }
  return report(all, left);
}

const total = (all, count) => all.reduce((sum, one) => sum + count(one), 0);

function report(all, left) {
  const calls = all.flatMap((one) => one.calls);
  const failed = calls.filter((call) => !isGood(call));
  const ownFailed = all.flatMap((one) => one.settled.failed);
  const lost = total(all, ({ settled }) => (settled.processes.size === 1 ? 0 : 1));
  const twice = total(all, ({ faults }) => faults.twice);
  const restarted = total(all, (one) => one.restarted);
  const unserved = total(all, (one) => one.unserved);
  const moved = total(all, (one) => one.moved);
  const slowest = Math.max(...calls.map((call) => call.answeredAt - call.sentAt));
  const stayed = total(all, (one) => (one.stayed ? 1 : 0));
  const clients = all.length * ERAS.length;
  return {
    figures: [
      ['upgrades', all.length, 'none', null],
      [`calls of ${calls.length} that failed`, failed.length, 0, failed.length === 0],
      ['calls executed twice', twice, 0, twice === 0],
      ['slowest call', slowest, 'none', null, 'ms'],
      ['clients that moved to the new gateway', moved, clients, moved === clients],
      ['calls of the new client that failed', unserved, 0, unserved === 0],
      ['old gateways that stayed for the client with a process of its own', stayed, all.length, stayed === all.length],
      [`calls of ${total(all, ({ settled }) => settled.calls)} of that client that failed`, ownFailed.length, 0, ownFailed.length === 0],
      ['such clients that lost their process', lost, 0, lost === 0],
      ['end of the old gateway after that client, at most', Math.max(...all.map(({ exit }) => exit)), 'none', null, 'ms'],
      ['clients restarted', restarted, 0, restarted === 0],
      ['processes left over at the end', left, 0, left === 0],
    ],
    notes: `first client of the new release served after ${all.map(({ opened }) => opened.toFixed(0)).join(', ')} ms`
      + `${failed.length ? '; failed: ' + JSON.stringify(failed[0]) : ''}${ownFailed.length ? '; failed: ' + ownFailed[0] : ''}`,
  };
}
