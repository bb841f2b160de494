// Formatter of the tables in docs/benchmarks.md.
import os from 'node:os';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { root } from './processes.mjs';
import { median } from './load.mjs';

const OURS = 'Fusebox';
const SHARED = 'Fusebox shared';
const OVER_WEBSOCKET = 'Fusebox, WebSocket';
const NO_PEER = [OURS, SHARED, OVER_WEBSOCKET, 'no-op', 'direct'];
const ERAS = ['session', 'stateless'];
const number = (value, digits = 2) => (Number.isFinite(value) ? value.toFixed(digits) : '-');
const of = (figures, name, field) => median((figures?.get(name) ?? []).map((one) => one[field]));

// The median over all rounds of a comparison of two contenders in the same round.
function paired(figures, one, other, field, compare) {
  const others = figures.get(other) ?? [];
  return median((figures.get(one) ?? []).map((mine, round) => compare(mine[field], others[round][field])));
}

const difference = (mine, theirs) => mine - theirs;
const ratio = (mine, theirs) => mine / theirs;

// The peer with the best median; null if none was measured.
function best(figures, field, isBetter) {
  const names = [...(figures?.keys() ?? [])].filter((name) => !NO_PEER.includes(name));
  return names.reduce(
    (found, name) => (found === null || isBetter(of(figures, name, field), of(figures, found, field)) ? name : found),
    null,
  );
}

function judged(what, value, unit, goal, isMet) {
  const verdict = Number.isFinite(value) ? (isMet ? 'met' : '**missed**') : 'not measured';
  return `| ${what} | ${number(value)} ${unit} | ${goal} | ${verdict} |`;
}

const atMost = (what, value, unit, limit) => judged(what, value, unit, `at most ${limit} ${unit}`, value <= limit);
const atLeast = (what, value, unit, limit) => judged(what, value, unit, `at least ${limit} ${unit}`, value >= limit);

// The goals of a single session.
function alone(figures, what, where, limit) {
  const added = paired(figures, OURS, 'no-op', 'p50', difference);
  const beyond = atMost(`${what}, one session, p50 beyond no-op`, added, 'ms', limit);
  return [beyond, ...sharedAlone(figures), ...tail(figures, 'one session' + where)];
}

// One process for all sessions, like the best peer.
function sharedAlone(figures) {
  const peer = best(figures, 'p50', (a, b) => a < b);
  if (!peer || !figures.has(SHARED)) {
    return [];
  }
  const times = paired(figures, SHARED, peer, 'p50', ratio);
  return [atMost(`p50, one session, one process for all, against the best peer (${peer})`, times, 'x', 0.9)];
}

function together(figures, where) {
  const lines = [atLeast(`calls/s, concurrent sessions${where}, against no-op`, paired(figures, OURS, 'no-op', 'rate', ratio), 'x', 0.6)];
  const peer = best(figures, 'rate', (a, b) => a > b);
  if (peer) {
    for (const one of [OURS, SHARED].filter((name) => figures.has(name))) {
      const what = one === OURS ? '' : ', one process for all';
      const times = paired(figures, one, peer, 'rate', ratio);
      lines.push(atLeast(`calls/s, concurrent sessions${where}${what}, against the best peer (${peer})`, times, 'x', 2));
    }
  }
  return [...lines, ...tail(figures, 'concurrent sessions' + where)];
}

function goals({ rows, idle, after }) {
  const lines = [];
  if (rows.http) {
    lines.push(...alone(rows.http, 'HTTP gateway, stdio server', '', 0.06));
  }
  if (rows.stdio) {
    const added = paired(rows.stdio, OURS, 'direct', 'p50', difference);
    lines.push(atMost('stdio gateway, stdio server, one session, p50 beyond direct', added, 'ms', 0.1));
  }
  if (rows.crowd) {
    lines.push(...together(rows.crowd, ''));
  }
  for (const era of ERAS.filter((one) => rows[one])) {
    const where = `, ${era} server over HTTP`;
    lines.push(...alone(rows[era], `HTTP gateway, HTTP server, ${era} era`, where, 0.12), ...together(rows[era + 'Crowd'], where));
  }
  if (rows.session?.has(OVER_WEBSOCKET)) {
    const times = paired(rows.session, OVER_WEBSOCKET, OURS, 'p50', ratio);
    lines.push(atMost('server over WebSocket, one session, p50 against the same server over HTTP', times, 'x', 1.1));
  }
  if (rows.bigStdio) {
    const times = paired(rows.bigStdio, OURS, 'direct', 'p50', ratio);
    lines.push(atMost('5 MB over stdio, against direct', times, 'x', 1.5));
  }
  if (rows.bigHttp && rows.bigStdio) {
    const times = of(rows.bigHttp, OURS, 'p50') / of(rows.bigStdio, 'direct', 'p50');
    lines.push(atMost('5 MB over HTTP, against direct', times, 'x', 1.5));
  }
  const limits = [['stdio', 60, 120], ['http', 65, 180]];
  for (const [mode, idleLimit, limit] of limits.filter(([one]) => idle.has(`${one} ${OURS}`))) {
    lines.push(atMost(`memory idle, ${mode}`, idle.get(`${mode} ${OURS}`), 'MB', idleLimit));
    lines.push(atMost(`memory after the load, ${mode}`, highest(rows, after, mode), 'MB', limit));
  }
  if (rows.start) {
    const millis = median(rows.start.get('Fusebox, sh'));
    lines.push(atMost('from starting ./fusebox to the answer to initialize, child in sh', millis, 'ms', 140));
  }
  return lines;
}

const crowded = (rows, mode, name) =>
  ((mode === 'http' ? rows.crowd : rows[mode + 'Crowd'])?.get(name) ?? []).map((one) => one.memory);

// Memory with concurrent sessions is measured while they are open.
function highest(rows, after, mode) {
  return Math.max(after.get(`${mode} ${OURS}`), ...crowded(rows, mode, OURS));
}

function tail(figures, what) {
  const peer = best(figures, 'p99', (a, b) => a < b);
  if (!peer) {
    return [];
  }
  const times = of(figures, OURS, 'p99') / of(figures, peer, 'p99');
  return [atMost(`p99, ${what}, against the best peer (${peer})`, times, 'x', 1)];
}

function table(title, figures, memory) {
  const lines = ['', title, '', '| | p50 ms | p99 ms | calls/s | failed | MB idle | MB after |', '|---|---|---|---|---|---|---|'];
  for (const name of figures?.keys() ?? []) {
    const failures = figures.get(name).reduce((sum, one) => sum + one.failures, 0);
    const mb = memory.map((map) => number(map.get(name), 0)).join(' | ');
    const cells = [number(of(figures, name, 'p50'), 3), number(of(figures, name, 'p99'), 2), number(of(figures, name, 'rate'), 0)];
    lines.push(`| ${name} | ${cells.join(' | ')} | ${failures} | ${mb} |`);
  }
  return figures ? lines : [];
}

function memoryOf({ rows, idle, after }, mode) {
  const names = [...idle.keys()].filter((key) => key.startsWith(mode + ' ')).map((key) => key.slice(mode.length + 1));
  return [
    new Map(names.map((name) => [name, idle.get(`${mode} ${name}`)])),
    new Map(names.map((name) => [name, Math.max(after.get(`${mode} ${name}`), ...crowded(rows, mode, name))])),
  ];
}

function bigTable({ bigStdio, bigHttp }) {
  if (!bigStdio && !bigHttp) {
    return [];
  }
  const lines = ['', 'A result of 5 MB.', '', '| | ms |', '|---|---|'];
  for (const [way, figures] of [['stdio', bigStdio], ['HTTP', bigHttp]]) {
    for (const name of figures?.keys() ?? []) {
      lines.push(`| ${way}, ${name} | ${number(of(figures, name, 'p50'), 1)} |`);
    }
  }
  return lines;
}

function startTable(start) {
  const lines = ['', 'From starting the program to its answer to `initialize`.', '', '| | median ms | fastest | slowest |', '|---|---|---|---|'];
  for (const [name, millis] of start ?? []) {
    const cells = [median(millis), Math.min(...millis), Math.max(...millis)].map((value) => number(value, 0));
    lines.push(`| ${name} | ${cells.join(' | ')} |`);
  }
  return start ? lines : [];
}

// The last commit that changed the measured code.
function commit() {
  try {
    return execFileSync('git', ['log', '-1', '--format=%h', '--', '*/src/main/*', 'fusebox', ':!bench'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

function machine({ plan }) {
  const release = execFileSync(path.join(process.env.JAVA_HOME, 'bin/java'), ['--version'], { encoding: 'utf8' });
  const java = /\(build ([^)]+)\)/.exec(release)?.[1] ?? 'unknown';
  const load = process.env.FUSEBOX_LOAD ? ' Over HTTP with an external load client.' : '';
  return (
    `${new Date().toISOString().slice(0, 10)}; Java ${java}; Node ${process.versions.node}; ${os.type()} ${os.arch()}, ` +
    `${os.cpus().length} processors, ${number(os.loadavg()[0], 1)} runnable processes at the end. ${plan.rounds} rounds; commit ${commit()}.${load}`
  );
}

export function report(result) {
  const { rows, failed, sessions } = result;
  return [
    machine(result),
    '',
    '| | | goal | |',
    '|---|---|---|---|',
    ...goals(result),
    ...table('Over HTTP, one session.', rows.http, memoryOf(result, 'http')),
    ...table(`Over HTTP, ${sessions} concurrent sessions.`, rows.crowd, memoryOf(result, 'http')),
    ...table('Over stdio, one session.', rows.stdio, memoryOf(result, 'stdio')),
    ...ERAS.flatMap((era) => [
      ...table(`HTTP gateway, HTTP server, ${era} era, one session.`, rows[era], memoryOf(result, era)),
      ...table(`HTTP gateway, HTTP server, ${era} era, ${sessions} concurrent sessions.`, rows[era + 'Crowd'], memoryOf(result, era)),
    ]),
    ...bigTable(rows),
    ...startTable(rows.start),
    ...(failed.size > 0 ? [''] : []),
    ...[...failed].map(([name, why]) => `Not measured: ${name}. ${why}`),
  ].join('\n');
}
