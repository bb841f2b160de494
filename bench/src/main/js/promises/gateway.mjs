// The built application with small servers, as users start it, and its observable state.
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync, fork } from 'node:child_process';
import { Contender, scratch } from '../contenders.mjs';
import { launch, pause } from '../processes.mjs';
import { StatelessSession } from '../sessions.mjs';

const here = path.dirname(new URL(import.meta.url).pathname);
const START_LIMIT = 30_000;
export const serverProgram = path.join(here, 'server.mjs');

const folders = [];
process.on('exit', () => folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

// An empty folder for the journals of servers.
export function newFolder() {
  const folder = path.join(scratch, `promises-${process.pid}-${folders.length}`);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  folders.push(folder);
  return folder;
}

// The configuration of a small server: {JOURNAL, SICK, MODE} and further keys.
export const small = (env = {}, keys = {}) => ({ command: process.execPath, args: [serverProgram], era: 'legacy', env, ...keys });

// The given number of healthy servers, named s1, s2 ...
export const healthy = (many) => Object.fromEntries(Array.from({ length: many }, (_, i) => ['s' + (i + 1), small()]));

// The journals of all processes of a server, one entry each.
export function journals(folder) {
  const files = fs.readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.map((file) => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')));
}

export class Gateway extends Contender {
  // @param more further command line arguments
  constructor(name, config, more = []) {
    const file = path.join(newFolder(), 'config.json');
    // Calls that never end are not drained.
    fs.writeFileSync(file, JSON.stringify({ ...config, pool: { drainMs: 100, ...config.pool } }));
    const words = ['serve', '--config', file, '--transport', 'http', '--port', '0', '--expose', 'proxy', ...more];
    // Its heap and threads are inspected with jcmd.
    const environment = { FUSEBOX_ALLOW_INSPECTION: 'yes' };
    super(name, { file, command: () => [...launch, ...words], Session: StatelessSession, environment });
    this.log = '';
  }

  // Ready when all healthy servers can be called.
  async answering() {
    this.process.stderr.on('data', (bytes) => (this.log += bytes));
    const session = await this.session();
    const until = Date.now() + START_LIMIT;
    for (let names = []; Date.now() < until && !this.ended; await pause(300)) {
      const { tools } = await session.request('tools/list', {});
      const before = names.length;
      names = tools.map((tool) => tool.name);
      if (names.length > 0 && names.length === before) {
        session.close();
        return;
      }
    }
    throw new Error(this.name + ' does not answer: ' + this.stderr.slice(-300));
  }

  // Lines of the log about changes of breakers.
  breakerLines(of = '') {
    return this.log.split('\n').filter((line) => line.includes('breaker ' + of) && line.includes(' -> '));
  }

  // Used heap in MB after a full collection.
  heap() {
    const jcmd = path.join(process.env.JAVA_HOME, 'bin/jcmd');
    const ask = (...words) => execFileSync(jcmd, [String(this.process.pid), ...words], { encoding: 'utf8' });
    ask('GC.run');
    const used = [...ask('GC.heap_info').matchAll(/\btotal \d+K, used (\d+)K/g)];
    return used.reduce((sum, match) => sum + Number(match[1]), 0) / 1024;
  }

  // Waits until closed connections have disappeared here as well.
  async settled() {
    const open = () => fs.readdirSync(`/proc/${this.process.pid}/fd`).length;
    for (const until = Date.now() + 60_000; open() > 1000 && Date.now() < until; await pause(100));
  }

  // Seconds of processor time so far.
  processorTime() {
    const fields = fs.readFileSync(`/proc/${this.process.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }
}

export async function withGateway(name, config, work) {
  const gateway = new Gateway(name, config);
  try {
    await gateway.start();
    return await work(gateway);
  } finally {
    await gateway.stop();
  }
}

// A child process with which this one exchanges messages.
export class Helper {
  constructor(program, ...words) {
    this.process = fork(path.join(here, program), words);
    this.waiting = [];
    this.heard = [];
    this.process.on('message', (message) => {
      if (message.said) {
        console.error('    a parked call came back: ' + message.said.split('\r\n\r\n').pop());
        return;
      }
      const next = this.waiting.shift();
      next ? next(message) : this.heard.push(message);
    });
  }

  next() {
    return this.heard.length > 0 ? Promise.resolve(this.heard.shift()) : new Promise((resolve) => this.waiting.push(resolve));
  }

  ask(message) {
    this.process.send(message);
    return this.next();
  }

  close() {
    this.process.disconnect();
  }
}

// Pending calls, made by a separate process.
export async function parked(gateway, tools, calls) {
  const helper = new Helper('parker.mjs');
  const told = await helper.ask({ url: gateway.url, tools, calls });
  return {
    calls: told.parked,
    back: async () => (await helper.ask({ release: true })).back,
    close: () => helper.close(),
  };
}
