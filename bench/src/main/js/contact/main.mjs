// Contacts many servers from npm for the first time, through a gateway and by a client that starts them itself, in
// turns, and compares: starts of each server, whether the first list has all tools, and how long that took.
import { once } from 'node:events';
import { request } from 'node:http';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endProcess, launch, pause, root, startProcess } from '../processes.mjs';
import { ListeningGateway } from './listening.mjs';
import { PipedServer } from './pipe.mjs';
import { configuration, forgetStarts, mostStarts, roundFolder, starts } from './servers.mjs';

// Milliseconds; a gateway opens its socket some tenths of a second after its start.
const SOCKET_WITHIN = 10_000;
const GOAL = Number(process.env.FUSEBOX_CONTACT_GOAL ?? 1.3);
// Whether the start of the gateway itself, as its later run shows it, is left out: tests run an untrained JVM.
const isStartApart = process.env.FUSEBOX_CONTACT_START === 'apart';
const words = process.argv.slice(2);
const rounds = Number(words.includes('--rounds') ? words.splice(words.indexOf('--rounds'), 2)[1] : 5);
if (words.includes('--stdio')) words.splice(words.indexOf('--stdio'), 1);
const isHttp = words.includes('--http');
if (isHttp) words.splice(words.indexOf('--http'), 1);

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const seconds = (millis) => (millis / 1000).toFixed(2) + ' s';

// The tool definitions without their names, which a gateway changes.
// A gateway shows a required task as optional, because it asks for the task itself.
const shown = (rest) => (rest.execution?.taskSupport === 'required' ? { ...rest, execution: { taskSupport: 'optional' } } : rest);
const seen = (tools) => tools.map(({ name, ...rest }) => JSON.stringify(shown(rest))).sort();

function prepared(name) {
  const folder = roundFolder(name);
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify(configuration(folder, words)));
  return { folder, file };
}

async function direct(name) {
  const { folder, file } = prepared(name);
  const begun = performance.now();
  const program = join(root, 'bench/src/main/js/contact/direct.mjs');
  const child = startProcess([process.execPath, program, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const millis = performance.now() - begun;
  await endProcess(child, { limit: 30_000 });
  rmSync(folder, { recursive: true, force: true });
  return { millis, listed: JSON.parse(line) };
}

function opened({ folder, file }) {
  const env = { ...process.env, FUSEBOX_HOME: join(folder, 'home') };
  const args = [...launch.slice(1), 'serve', '--share', 'off', '--config', file, '--expose', 'proxy'];
  return isHttp ? new ListeningGateway(launch[0], args, { env }) : new PipedServer(launch[0], args, { env });
}

async function listedBy(gateway) {
  await gateway.greet();
  return gateway.tools();
}

async function first(name) {
  const round = prepared(name);
  const begun = performance.now();
  const gateway = opened(round);
  const tools = await listedBy(gateway);
  const millis = performance.now() - begun;
  await gateway.close();
  return { round, millis, tools, starts: starts(round.folder) };
}

// The owner's socket of the gateway. A list that comes from the cache may be answered before the socket is open.
async function ownerSocket(home) {
  const folder = join(home, 'run');
  for (const end = performance.now() + SOCKET_WITHIN; performance.now() < end; await pause(10)) {
    const sockets = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.sock')) : [];
    for (const socket of sockets) if (await accepts(join(folder, socket))) return join(folder, socket);
  }
  throw new Error(`the gateway of ${home} opened no socket in ${seconds(SOCKET_WITHIN)}`);
}

// Between bind(2) and listen(2) the file is there and connections are refused.
function accepts(socketPath) {
  return new Promise((resolve) => {
    const probe = createConnection(socketPath);
    probe.on('connect', () => {
      probe.end();
      resolve(true);
    });
    probe.on('error', () => resolve(false));
  });
}

// Connects to a server through the owner's socket.
function connect(socketPath, server) {
  return new Promise((resolve, reject) => {
    const path = `/api/v1/servers/${server}/connect`;
    const asking = request({ socketPath, method: 'POST', path }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    });
    asking.on('error', reject);
    asking.end();
  });
}

// A later run: the list comes from the cache, and each server is connected once.
async function later({ round }, servers) {
  forgetStarts(round.folder);
  const begun = performance.now();
  const gateway = opened(round);
  const tools = await listedBy(gateway);
  const millis = performance.now() - begun;
  const unasked = starts(round.folder);
  const socket = await ownerSocket(join(round.folder, 'home'));
  const left = [...servers];
  const some = async () => {
    for (let name = left.shift(); name; name = left.shift()) await connect(socket, name);
  };
  await Promise.all([some(), some(), some(), some()]);
  await gateway.close();
  return { millis, tools, unasked, starts: starts(round.folder) };
}

function compare(what, tools, listed, problems) {
  const expected = seen(Object.values(listed).flat());
  const found = seen(tools);
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    const missing = Object.keys(listed).filter((name) => !tools.some((tool) => tool.name.startsWith(name + '__')));
    problems.push(`${what} has ${found.length} of ${expected.length} tools; without any: ${missing.join(', ') || 'none'}`);
  }
}

function count(what, counts, servers, most, problems) {
  const wrong = servers.filter((name) => !(counts[name] >= 1 && counts[name] <= most(name)));
  if (wrong.length) {
    problems.push(`${what}: ${wrong.map((name) => `${name} was started ${counts[name] ?? 0} times`).join(', ')}`);
  }
}

await direct('warm');
const problems = [];
const ratios = [];
let servers = [];
// Tests run at the same time as other tests, and a median of few rounds may be that of the others.
const mayTryOn = (round) => isStartApart && median(ratios) > GOAL && round < 2 * rounds;
for (let round = 0; round < rounds || mayTryOn(round); round++) {
  const own = await direct(`direct-${round}`);
  const gateway = await first(`gateway-${round}`);
  servers = Object.keys(own.listed);
  compare('the first list', gateway.tools, own.listed, problems);
  const twice = servers.filter((name) => gateway.starts[name] > 1);
  count('first contact', gateway.starts, servers, mostStarts, problems);
  const again = await later(gateway, servers);
  ratios.push((gateway.millis - (isStartApart ? again.millis : 0)) / own.millis);
  compare('the first list of a later run', again.tools, own.listed, problems);
  count('a later run', again.starts, servers, () => 1, problems);
  if (Object.keys(again.unasked).length) problems.push('a later run started servers for its list');
  rmSync(gateway.round.folder, { recursive: true, force: true });
  console.log(
    `round ${round + 1}: client ${seconds(own.millis)}, gateway ${seconds(gateway.millis)}, ratio ${ratios.at(-1).toFixed(2)},`
      + ` ${gateway.tools.length} tools of ${servers.length} servers, started twice: ${twice.join(' ') || 'none'};`
      + ` later run: list in ${seconds(again.millis)}`,
  );
}
console.log(`first list of ${servers.length} servers: ratio to a client, min ${Math.min(...ratios).toFixed(2)},`
  + ` median ${median(ratios).toFixed(2)}, goal ${GOAL}`);
problems.forEach((problem) => console.log('not met: ' + problem));
if (median(ratios) > GOAL) console.log(`not met: the median ratio is above ${GOAL}`);
process.exitCode = problems.length || median(ratios) > GOAL ? 1 : 0;
