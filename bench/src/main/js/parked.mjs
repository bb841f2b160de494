// Ten thousand pending calls with concurrent echo calls: memory of the pending calls, and latency of the echo calls under
// garbage collection. Prints one line; docs/adr/0009 has the comparison.
//
//   node parked.mjs http|stdio [CALLS] [JVM OPTION ...]     JAVA_HOME names the JDK; the application must be built
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { configOf, echoCommand, scratch } from './contenders.mjs';
import { endProcess, output, pause, root, startProcess } from './processes.mjs';
import { HttpSession, StdioSession } from './sessions.mjs';
import { median, single } from './load.mjs';
import { residentMegabytes } from './usage.mjs';

const [mode, count = '10000', ...options] = process.argv.slice(2);
const calls = Number(count);
const SESSIONS = 20;
const ROUNDS = 5;
const app = path.join(root, 'build/app', fs.readFileSync(path.join(root, 'build/app/current'), 'utf8').trim(), 'lib');
const log = path.join(scratch, `gc-${process.pid}.log`);
const java = path.join(process.env.JAVA_HOME, 'bin/java');
const words = ['serve', '--share', 'off', '--config', configOf('echo', echoCommand), '--transport', mode, '--expose', 'proxy', '--no-prefix'];
const always = ['-Xlog:disable', '-Xlog:all=warning:stderr', '-XX:+DisplayVMOutputToStderr', `-Xlog:gc,safepoint:file=${log}`];
const command = [java, ...always, ...options, '--enable-native-access=dev.fusebox.platform', '-p', app];
command.push('-m', 'dev.fusebox.cli/dev.fusebox.cli.Main', ...words, ...(mode === 'http' ? ['--port', '0'] : []));

const contender = { call: (session) => session.call('echo', { message: 'hello' }, 'hello') };
// Pending calls that were answered: must be none, otherwise the line is invalid.
let answered = 0;
const HANG = { name: 'hang', arguments: {} };

async function overStdio() {
  const session = await new StdioSession(command).open();
  const listen = session.message.bind(session);
  session.message = (bytes) => {
    answered += bytes.includes('"id":1000') && bytes.includes('error') ? 1 : 0;
    listen(bytes);
  };
  return { pid: session.process.pid, echo: session, park: () => parkIn(session, calls), end: () => endProcess(session.process, { signal: 'SIGTERM' }) };
}

function parkIn(session, many) {
  for (let id = 1_000_000; id < 1_000_000 + many; id++) {
    session.send({ jsonrpc: '2.0', id, method: 'tools/call', params: HANG });
  }
}

async function overHttp() {
  const child = startProcess(command, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [url] = await output(child, /http:\S+/);
  const sockets = [];
  const echo = await new HttpSession(url).open();
  const end = () => {
    sockets.forEach((socket) => socket.destroy());
    return endProcess(child, { signal: 'SIGTERM' });
  };
  return { pid: child.pid, echo, park: () => parkBeside(url, sockets), end };
}

// Each pending call has its own connection.
async function parkBeside(url, sockets) {
  const { hostname, port, host } = new URL(url);
  for (let s = 0; s < SESSIONS; s++) {
    const session = await new HttpSession(url).open();
    for (let i = 0; i < calls / SESSIONS; i++) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1000 + i, method: 'tools/call', params: HANG });
      const socket = net.connect({ host: hostname, port });
      socket.on('error', () => answered++);
      socket.on('data', () => answered++);
      socket.write(`POST /mcp HTTP/1.1\r\nHost: ${host}\r\n${session.headers}Content-Length: ${body.length}\r\n\r\n${body}`);
      sockets.push(socket);
    }
    await pause(20);
  }
}

function pauses() {
  const millis = [...fs.readFileSync(log, 'utf8').matchAll(/Pause .* ([\d.]+)ms/g)].map((match) => Number(match[1]));
  return { count: millis.length, longest: Math.max(0, ...millis), sum: millis.reduce((a, b) => a + b, 0) };
}

async function rounds(session) {
  const all = [];
  for (let i = 0; i < ROUNDS; i++) {
    all.push(await single(contender, 3000, session));
  }
  const of = (field) => Number(median(all.map((one) => one[field])).toFixed(2));
  return { p50: of('p50'), p99: of('p99'), failed: all.reduce((sum, one) => sum + one.failures, 0) };
}

const gateway = await (mode === 'http' ? overHttp() : overStdio());
await single(contender, 5000, gateway.echo);
const before = { rss: residentMegabytes(gateway.pid), ...(await rounds(gateway.echo)) };
const fresh = pauses();
const begun = performance.now();
await gateway.park();
await contender.call(gateway.echo);
await pause(2000);
const parked = { took: performance.now() - begun - 2000, rss: residentMegabytes(gateway.pid) };
const during = await rounds(gateway.echo);
const after = pauses();
const line = {
  mode,
  options: options.join(' '),
  quiet: before,
  answered,
  parked: { ...during, rss: parked.rss, rssAfter: residentMegabytes(gateway.pid), tookMs: parked.took },
  pauses: { before: fresh, after },
};
console.log(JSON.stringify(line, (key, value) => (typeof value === 'number' ? Number(value.toFixed(2)) : value)));
await gateway.end();
process.exit(0);
