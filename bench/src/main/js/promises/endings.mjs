// P3 and P5: the long form of the library's model tests. P7: lost responses. P8: deadlines.
import fs from 'node:fs';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pause, root } from '../processes.mjs';
import { inside } from './inside.mjs';
import { Helper, healthy, journals, newFolder, small, withGateway } from './gateway.mjs';
import { Clients, openLoop, quantile } from './open.mjs';

const run = promisify(execFile);
const NEVER_OPEN = { failureThreshold: 1_000_000 };
const url = async (server) => `http://127.0.0.1:${(await server.next()).port}/mcp`;

// One test of the breaker with the given number of events; whether it passed.
async function model(test, events) {
  const words = ['-q', '-B', '-pl', 'breaker', 'test', `-Dtest=${test}`, `-Dmodel.events=${events}`, '-Dspotless.check.skip=true'];
  try {
    await run('mvn', words, { cwd: root, timeout: 600_000 });
  } catch (failure) {
    return { passed: false, why: String(failure.stdout).slice(0, 2000) };
  }
  const report = fs.readFileSync(path.join(root, `breaker/target/surefire-reports/TEST-dev.fusebox.breaker.${test}.xml`), 'utf8');
  const [, tests, errors, , failures] = /tests="(\d+)" errors="(\d+)" skipped="(\d+)" failures="(\d+)"/.exec(report);
  return { passed: Number(tests) > 0 && Number(errors) + Number(failures) === 0, why: '' };
}

export async function p3(quick) {
  const histories = quick ? 50_000 : 1_000_000;
  const { passed, why } = await model('NthFailureTest', 2 * histories);
  return {
    figures: [[`histories of ${histories} that trip at another failure than the n-th`, passed ? 0 : 'some', 0, passed]],
    notes: passed ? 'the library alone, on a clock moved by hand (NthFailureTest)' : why,
  };
}

export async function p5(quick) {
  const endings = quick ? 20_000 : 100_000;
  const { passed, why } = await model('ProbeEndingsTest', endings);
  return {
    figures: [[`probe endings of ${endings} after which nobody is let in`, passed ? 0 : 'some', 0, passed]],
    notes: passed ? 'the library alone, on a clock moved by hand (ProbeEndingsTest), the bound of the lease included' : why,
  };
}

// ---- P7

async function lost(clients, tools, many) {
  const told = [];
  for (let from = 0; from < many; from += tools.atOnce) {
    const calls = Array.from({ length: tools.atOnce }, (_, i) => clients.call(tools.lose, { key: tools.lose + (from + i) }));
    if (tools.end) {
      await tools.arrived(from + tools.atOnce);
      await clients.call(tools.end, {});
    }
    told.push(...(await Promise.all(calls)));
  }
  return told;
}

export async function p7(quick) {
  const many = quick ? 100 : 500;
  const [crashing, silent] = [newFolder(), newFolder()];
  const remote = new Helper('remote.mjs');
  try {
    const usual = { breaker: NEVER_OPEN, toolBreaker: { enabled: false } };
    const mcpServers = {
      ...healthy(17),
      crashing: small({ JOURNAL: crashing }, usual),
      silent: small({ JOURNAL: silent }, { ...usual, timeoutMs: 2000 }),
      cut: { url: await url(remote), era: 'legacy', ...usual },
    };
    const executed = (folder) => journals(folder).map(({ keys }) => keys);
    const arrived = async (calls) => {
      const seen = () => executed(crashing).reduce((sum, keys) => sum + Object.keys(keys).length, 0);
      for (const until = Date.now() + 10_000; seen() < calls && Date.now() < until; await pause(20));
    };
    return await withGateway('P7', { mcpServers }, async (gateway) => {
      const clients = await new Clients(gateway).more(60);
      const told = [
        ...(await lost(clients, { lose: 'crashing__lose', end: 'crashing__crash', atOnce: 50, arrived }, many)),
        ...(await lost(clients, { lose: 'cut__cut', atOnce: 10 }, many)),
        ...(await lost(clients, { lose: 'silent__lose', atOnce: 50 }, quick ? 50 : 100)),
      ];
      await clients.close();
      await pause(500);
      const { counts } = await remote.ask({});
      const times = new Map();
      for (const keys of [...executed(crashing), ...executed(silent), counts.keys]) {
        Object.entries(keys).forEach(([key, count]) => times.set(key, (times.get(key) ?? 0) + count));
      }
      const once = [...times.values()].filter((count) => count === 1).length;
      const unknown = told.filter(({ fault }) => fault?.outcome === 'unknown').length;
      const other = told.find(({ fault }) => fault?.outcome !== 'unknown');
      return {
        figures: [
          ['lost replies whose call was executed exactly once', once, told.length, once === told.length && times.size === once],
          ['callers told `unknown`', unknown, told.length, unknown === told.length],
        ],
        notes: `${many} by a child that crashes with 50 calls under way, ${many} by a connection that is cut, ${told.length - 2 * many} by silence; no tool says that it may be repeated${other ? '; one was told ' + JSON.stringify(other) : ''}`,
      };
    });
  } finally {
    remote.close();
  }
}

// ---- P8

const DEADLINE = 1500;

export async function p8(quick) {
  const plan = { rate: 40, seconds: quick ? 4 : 15 };
  const many = quick ? 1_000 : 10_000;
  const within = await inside(['deadlines', many]);
  const remote = new Helper('remote.mjs');
  try {
    const usual = { breaker: NEVER_OPEN, toolBreaker: { enabled: false }, timeoutMs: DEADLINE };
    const mcpServers = {
      ...healthy(15),
      plain: small({}, usual),
      silent: small({ MODE: 'silent' }, usual),
      steps: small({}, usual),
      deaf: small({ MODE: 'deaf' }, usual),
      drip: { url: await url(remote), era: 'legacy', ...usual },
    };
    const kinds = ['plain__hang', 'silent__hang', 'steps__steps', 'deaf__echo', 'drip__drip'];
    // Larger than a pipe, so that a server that does not read blocks the writer.
    const letters = 'x'.repeat(20_000);
    return await withGateway('P8', { mcpServers }, async (gateway) => {
      const clients = await new Clients(gateway).more(100);
      const ask = async (i) => {
        const tool = kinds[i % kinds.length];
        const one = await clients.call(tool, tool.startsWith('deaf') ? { message: letters } : {}, { progressToken: 'token-' + i });
        return { ...one, tool };
      };
      await openLoop({ rate: 20, seconds: 3 }, ask);
      const { results } = await openLoop(plan, ask);
      await clients.close();
      const off = (of) => results.filter(({ tool }) => of === undefined || tool === of).map(({ millis }) => Math.abs(millis - DEADLINE));
      const others = results.filter(({ fault }) => fault?.code !== 'timeout');
      const [p99, each] = [quantile(off(), 0.99), kinds.map((kind) => `${kind.split('__')[0]} ${quantile(off(kind), 0.99).toFixed(0)}`)];
      return {
        figures: [
          ['distance from the deadline at the client, p99', p99, 100, p99 <= 100, 'ms'],
          [`${many} deadlines in one second, inside, p99`, within.p99, 250, within.p99 <= 250, 'ms'],
          ['calls that ended otherwise', others.length + within.others, 0, others.length + within.others === 0],
        ],
        notes: `${results.length} calls with ${DEADLINE} ms; p99 in ms of each kind: ${each.join(', ')}; inside p50 ${within.p50.toFixed(2)} and at most ${within.max.toFixed(1)} ms${others.length ? '; another end: ' + JSON.stringify(others[0]) : ''}`,
        within,
      };
    });
  } finally {
    remote.close();
  }
}
