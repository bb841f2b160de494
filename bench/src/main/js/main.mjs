// Measures all rows, round after round, and prints or writes the tables. Started by bench/gateway.
import fs from 'node:fs';
import path from 'node:path';
import { overHttp, overStdio, peers } from './contenders.mjs';
import { root } from './processes.mjs';
import { remote } from './remote.mjs';
import { big, crowd, foreign, single } from './load.mjs';
import { startTimes } from './start.mjs';
import { report } from './report.mjs';

const BEGIN = '<!-- gateway: begin (bench/gateway writes what is between these two lines) -->';
const END = '<!-- gateway: end -->';
const FULL = { rounds: 5, calls: 1500, warmCalls: 6000, seconds: 3, warmSeconds: 2, warmRounds: 2, bigs: 5, starts: 20 };
const QUICK = { rounds: 3, calls: 700, warmCalls: 3000, seconds: 1.5, warmSeconds: 1.5, warmRounds: 1, bigs: 3, starts: 5 };
const SESSIONS = 32;
const ROWS = ['http', 'stdio', 'crowd', 'big', 'start', ...Object.keys(remote)];

const words = process.argv.slice(2);
const quick = words.includes('--quick');
const chosen = words.filter((word) => word !== '--quick');
const unknown = chosen.find((word) => !ROWS.includes(word));
if (unknown) {
  console.error(`usage: bench/gateway [--quick] [ROW ...]; there is no row ${unknown}, only ${ROWS.join(', ')}`);
  process.exit(2);
}
const plan = quick ? QUICK : FULL;
const wants = (row) => chosen.length === 0 || chosen.includes(row);
const say = (text) => process.stderr.write(text + '\n');

// name -> figures of each round
class Figures extends Map {
  add(name, figures) {
    this.set(name, [...(this.get(name) ?? []), figures]);
  }
}

// Every contender once per round, in rotating order.
async function rounds(contenders, measure) {
  const figures = new Figures();
  for (let round = 0; round < plan.rounds; round++) {
    for (let i = 0; i < contenders.length; i++) {
      const contender = contenders[(i + round) % contenders.length];
      figures.add(contender.name, await measure(contender));
    }
    say(`  round ${round + 1} of ${plan.rounds}`);
  }
  return figures;
}

async function startAll(contenders, failed, behind = '') {
  const running = [];
  for (const contender of contenders) {
    try {
      await contender.start();
      running.push(contender);
    } catch (failure) {
      say('  ' + failure.message);
      failed.set(contender.name + behind, failure.message.split('\n')[0]);
      await contender.stop();
    }
  }
  return running;
}

async function withSession(contender, work) {
  const session = await contender.session();
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

async function measureSingle(contenders) {
  for (const contender of contenders) {
    await withSession(contender, (session) => single(contender, plan.warmCalls, session));
  }
  return rounds(contenders, (contender) =>
    withSession(contender, async (session) => {
      await single(contender, plan.calls, session);
      return process.env.FUSEBOX_LOAD && contender.url
        ? foreign(contender, { sessions: 1, warmup: 200, calls: plan.calls })
        : single(contender, plan.calls, session);
    }),
  );
}

async function measureCrowd(contenders) {
  const bounds = { sessions: SESSIONS, warm: plan.warmSeconds, seconds: plan.seconds };
  for (let i = 0; i < plan.warmRounds; i++) {
    for (const contender of contenders) {
      await crowd(contender, bounds);
    }
  }
  return rounds(contenders, (contender) =>
    process.env.FUSEBOX_LOAD
      ? foreign(contender, { sessions: SESSIONS, warmup: 100, calls: 300 })
      : crowd(contender, bounds),
  );
}

async function measureBig(contenders) {
  const measure = (contender) =>
    withSession(contender, async (session) => {
      await big(contender, 2, session);
      return big(contender, plan.bigs, session);
    });
  for (const contender of contenders) {
    await measure(contender);
  }
  return rounds(contenders, measure);
}

async function measure() {
  const result = { plan, sessions: SESSIONS, failed: new Map(), idle: new Map(), after: new Map(), rows: {} };
  if (wants('start')) {
    say('starts');
    result.rows.start = await startTimes(plan.starts);
  }
  if (['http', 'stdio', 'crowd', 'big'].some(wants)) {
    await measureChildren(result);
  }
  for (const era of Object.keys(remote).filter(wants)) {
    await measureRemote(era, result);
  }
  return result;
}

async function measureChildren(result) {
  const stdio = await startAll(overStdio, result.failed);
  const http = await startAll([...overHttp, ...peers], result.failed);
  try {
    await measureWith(stdio, http, result);
  } finally {
    await Promise.all([...stdio, ...http].map((contender) => contender.stop()));
  }
}

const remember = (into, mode, contenders) =>
  contenders.forEach((contender) => into.set(`${mode} ${contender.name}`, contender.memory()));

async function measureWith(stdio, http, result) {
  const rememberBoth = (into) => {
    remember(into, 'http', http);
    remember(into, 'stdio', stdio);
  };
  const steps = {
    stdio: () => measureSingle(stdio),
    http: () => measureSingle(http),
    crowd: () => measureCrowd(http),
    bigStdio: () => measureBig(stdio),
    bigHttp: () => measureBig(http),
  };
  rememberBoth(result.idle);
  for (const [name, step] of Object.entries(steps)) {
    if (wants(name.startsWith('big') ? 'big' : name)) {
      say(name);
      result.rows[name] = await step();
    }
    // Memory is read before the result of five megabytes, which is not a usual load.
    if (name === 'crowd') {
      rememberBoth(result.after);
    }
  }
}

// With a server over HTTP of that era behind them.
async function measureRemote(era, result) {
  say('server over HTTP, ' + era + ' era');
  const running = await startAll(remote[era], result.failed, `, ${era} server over HTTP`);
  try {
    remember(result.idle, era, running);
    result.rows[era] = await measureSingle(running);
    result.rows[era + 'Crowd'] = await measureCrowd(running);
    remember(result.after, era, running);
  } finally {
    await Promise.all(running.map((contender) => contender.stop()));
  }
}

const document = path.join(root, 'docs/benchmarks.md');
const before = fs.readFileSync(document, 'utf8');
if (!before.includes(BEGIN) || before.indexOf(END) < before.indexOf(BEGIN)) {
  console.error(`${document} lacks the lines between which the figures go: ${BEGIN} and ${END}`);
  process.exit(1);
}
const tables = report(await measure());
console.log(tables);
if (!quick && chosen.length === 0) {
  const head = before.slice(0, before.indexOf(BEGIN) + BEGIN.length);
  fs.writeFileSync(document, head + '\n' + tables + '\n' + before.slice(before.indexOf(END)));
}
process.exit(0);
