// Ten clients before six servers from npm: their processes and memory, and the time until a client is served. The
// clients share a gateway, have one each, use mcp-proxy, or start the servers themselves.
import fs from 'node:fs';
import path from 'node:path';
import { bareJvm, Contender, node } from '../contenders.mjs';
import { endProcess, output, pause, root, startProcess, until } from '../processes.mjs';
import { median } from '../load.mjs';
import { processorMillis } from '../usage.mjs';
import { Client } from './client.mjs';
import { Home, newFolder, withHome } from './home.mjs';
import { children, ended, own, proportional, roots, sum, withText, withVariable, words } from './proc.mjs';

const CLIENTS = 10;
const CONNECTOR_GOAL = 5;
const GATEWAY_GOAL = 160;
const START_GOAL = 100;
// Above the five seconds after which a JVM returns memory of its compilers.
const REST = 6_000;
const MARK = 'FUSEBOX_BENCH_SERVER';

// Servers that need no network once they are installed and that clients may share, and a call of each. The one of maven is
// refused by the server, because all others need the network.
const CALLS = {
  files: ['list_allowed_directories', {}],
  memory: ['read_graph', {}],
  taskmanager: ['get_next_task', { requestId: 'none' }],
  bazi: ['getBaziDetail', { solarDatetime: '2008-03-01T13:00:00+08:00', gender: 1 }],
  hugeicons: ['get_platform_usage', { platform: 'react' }],
  maven: ['get_latest_release', { dependency: 'none' }],
};
const REFUSED = 'Invalid Maven coordinate';
const packages = path.join(root, 'bench/target/servers/node_modules');
const { servers: known } = JSON.parse(fs.readFileSync(path.join(root, 'bench/servers.json'), 'utf8'));

function program(name) {
  const { bin } = JSON.parse(fs.readFileSync(path.join(packages, name, 'package.json'), 'utf8'));
  return path.join(packages, name, typeof bin === 'string' ? bin : Object.values(bin)[0]);
}

// The servers as a configuration has them. All their processes have the folder in their environment.
function six(folder) {
  const filled = (text) => text.replaceAll('{folder}', folder);
  return Object.fromEntries(
    Object.keys(CALLS).map((name) => {
      const { package: from, args = [], env = {} } = known[name];
      const variables = Object.entries(env).map(([key, value]) => [key, filled(value)]);
      const all = { ...Object.fromEntries(variables), [MARK]: folder };
      return [name, { command: process.execPath, args: [program(from), ...args.map(filled)], env: all }];
    }),
  );
}

const marked = (folder) => withVariable(`${MARK}=${folder}`);

// What is there while ten clients are connected and have used all servers.
function census(folder, others) {
  const servers = marked(folder);
  return {
    trees: roots(servers).length,
    servers: sum(servers.map(proportional)),
    others: others.map(proportional),
    own: others.map(own),
    total: sum([...servers, ...others].map(proportional)),
  };
}

async function callAll(client) {
  for (const [server, [tool, given]] of Object.entries(CALLS)) {
    const outcome = await client.call(`${server}__${tool}`, given);
    if (outcome.fault || (outcome.broken && !outcome.broken.includes(REFUSED))) {
      throw new Error(`${server}: ${outcome.broken ?? outcome.text}`);
    }
  }
}

// Clients of Fusebox, one after the other, each with a call to every server.
function viaFusebox(share, about = {}) {
  return withHome(new Home(six), async (home) => {
    const opened = [];
    for (let i = 0; i < CLIENTS; i++) {
      const client = await home.client({ share, env: { FUSEBOX_ALLOW_INSPECTION: 'yes' }, ...about }).open();
      opened.push(client.openMillis);
      await callAll(client);
    }
    await pause(REST);
    const clients = home.clients.map((client) => client.pid);
    const gateways = home.gateways();
    const reapers = [...clients, ...gateways].flatMap(reapersOf);
    return {
      figures: [],
      ...census(home.folder, [...clients, ...gateways, ...reapers]),
      opened,
      flags: words(clients[0]),
      clients: clients.map(proportional),
      private: clients.map(own),
      gateway: sum(gateways.map(proportional)),
    };
  });
}

// The process beside a gateway that ends its servers if it is killed.
const reapersOf = (pid) => children(pid).filter((child) => words(child)[0] === '/bin/sh');

async function direct() {
  const folder = newFolder();
  const servers = [];
  for (let i = 0; i < CLIENTS; i++) {
    for (const [name, { command, args, env }] of Object.entries(six(folder))) {
      const server = await new Client([command, ...args], { env: { ...process.env, ...env } }).open();
      servers.push(server);
      await server.call(...CALLS[name]);
    }
  }
  await pause(REST);
  const found = census(folder, []);
  await Promise.all(servers.map((server) => server.close(2_000)));
  await ended(() => marked(folder));
  return found;
}

function unlessRefused(failure) {
  if (!failure.message.includes(REFUSED)) {
    throw failure;
  }
}

// Serves one server, so there are six of them.
class Proxy extends Contender {
  async answering() {
    await until(async () => this.session().then((session) => session.close().then(() => true), () => false));
  }
}

function proxyOf(folder, name, { args, env }) {
  const child = ['env', ...Object.entries(env).map(([key, value]) => `${key}=${value}`), process.execPath, ...args];
  const command = (port) =>
    node('mcp-proxy/dist/bin/mcp-proxy.mjs', '--port', String(port), '--host', '127.0.0.1', '--server', 'stream', '--', ...child);
  return new Proxy('mcp-proxy ' + name, { port: true, command, cwd: () => folder });
}

async function viaProxy() {
  const folder = newFolder();
  const proxies = Object.entries(six(folder)).map(([name, server]) => proxyOf(folder, name, server));
  try {
    await Promise.all(proxies.map((proxy) => proxy.start()));
    const sessions = [];
    for (let i = 0; i < CLIENTS; i++) {
      for (const proxy of proxies) {
        const session = await proxy.session();
        sessions.push(session);
        const [name, given] = CALLS[proxy.name.split(' ')[1]];
        await session.request('tools/call', { name, arguments: given }).catch(unlessRefused);
      }
    }
    await pause(REST);
    const found = census(folder, proxies.map((proxy) => proxy.process.pid));
    await Promise.all(sessions.map((session) => session.close()));
    return found;
  } finally {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await ended(() => marked(folder));
  }
}

// JVMs with the flags of a connector, of which each answers one line: as many as there were connectors and gateways. Without
// the AOT cache, which contains classes that they do not have.
async function noOps([java, ...flags]) {
  const kept = flags.filter((flag) => flag.startsWith('-X') && !flag.startsWith('-XX:AOTCache'));
  const command = [java, ...kept, '-cp', bareJvm().at(-2), bareJvm().at(-1)];
  const jvms = [];
  const millis = [];
  for (let i = 0; i <= CLIENTS; i++) {
    const begun = performance.now();
    const jvm = startProcess(command);
    jvms.push(jvm);
    jvm.stdin.write('{}\n');
    await output(jvm, /result/);
    millis.push(performance.now() - begun);
  }
  await pause(REST);
  const found = { each: jvms.map(({ pid }) => proportional(pid)), private: jvms.map(({ pid }) => own(pid)), millis: median(millis) };
  await Promise.all(jvms.map((jvm) => endProcess(jvm)));
  return found;
}

// How long the first and the second client wait for the answer to `initialize`, from the start of the launcher, and the
// processor time that the connector of the second one has used by then.
async function starts(rounds) {
  const found = [];
  for (let i = 0; i < rounds; i++) {
    const home = new Home(six);
    const [first, second] = [await home.client().open(), await home.client().open()];
    found.push([first.openMillis, second.openMillis, processorMillis(second.pid, true)]);
    await home.close();
  }
  return [0, 1, 2].map((which) => found.map((round) => round[which]));
}

const megabytes = (what, { trees, servers, total, others }) => [
  [`${what}: process trees of servers`, trees, 'none', null],
  [`${what}: memory of everything`, total, 'none', null, 'MB'],
  [`${what}: memory without the servers`, sum(others), `none`, null, 'MB'],
];

const whole = (numbers) => numbers.map((number) => number.toFixed(0)).join(', ');

// Clients of coding agents declare roots, and some servers read them.
const WITH_ROOTS = { capabilities: { roots: {} }, answer: () => ({ roots: [{ uri: 'file:///tmp' }] }) };

export async function memory(quick) {
  const shared = await viaFusebox('auto');
  const bare = await noOps(shared.flags);
  const rooted = await viaFusebox('auto', WITH_ROOTS);
  const [first, second, work] = await starts(quick ? 2 : 9);
  const unshared = quick ? null : await viaFusebox('off');
  const proxied = quick ? null : await viaProxy();
  const alone = quick ? null : await direct();
  const [connector, noOp] = [median(shared.clients), median(bare.each)];
  const [of, later] = [Object.keys(CALLS).length, median(second)];
  return {
    figures: [
      ['process trees of servers, ten clients before six servers', shared.trees, of, shared.trees === of],
      ['the same, clients that have the same roots', rooted.trees, of, rooted.trees === of],
      ['memory of a connector beyond a no-op JVM, median', connector - noOp, CONNECTOR_GOAL, connector - noOp <= CONNECTOR_GOAL, 'MB'],
      ['the same, largest connector', Math.max(...shared.clients) - noOp, CONNECTOR_GOAL, Math.max(...shared.clients) - noOp <= CONNECTOR_GOAL, 'MB'],
      ['memory of a connector, median', connector, 'none', null, 'MB'],
      ['memory of a no-op JVM, median', noOp, 'none', null, 'MB'],
      ['memory of the gateway', shared.gateway, GATEWAY_GOAL, shared.gateway <= GATEWAY_GOAL, 'MB'],
      ['second client, start to the answer to `initialize`, median', later, START_GOAL, later <= START_GOAL, 'ms'],
      ['processor time of its launcher and connector until then, median', median(work), 'none', null, 'ms'],
      ['first client, start to the answer to `initialize`, median', median(first), 'none', null, 'ms'],
      ['no-op JVM, start to its answer, median', bare.millis, 'none', null, 'ms'],
      ...megabytes('shared', shared),
      ...(unshared ? megabytes('a gateway each', unshared) : []),
      ...(proxied ? megabytes('six mcp-proxy', proxied) : []),
      ...(alone ? megabytes('without a gateway', alone) : []),
      ['processes left over at the end', leftOver(shared, rooted, unshared), 0, leftOver(shared, rooted, unshared) === 0],
    ],
    notes: `first clients ${whole(first)} ms, second ones ${whole(second)} ms; private memory of a connector`
      + ` ${median(shared.private).toFixed(1)} MB, of a no-op JVM ${median(bare.private).toFixed(1)} MB`,
  };
}

const leftOver = (...runs) => sum(runs.filter(Boolean).map(({ figures }) => figures.at(-1)[1]));
