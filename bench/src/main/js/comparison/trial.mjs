// A gateway and its servers, started for one probe and stopped after it with all processes left over.
import fs from 'node:fs';
import path from 'node:path';
import { Contender } from '../contenders.mjs';
import { pause, root } from '../processes.mjs';
import { Journal } from './journal.mjs';

const READY = 20_000;
// Where a response reports that there is no session.
const NOT_READY = 4_000;
const ENDING = 3_000;
const scratch = path.join(root, 'bench/target/comparison');
const program = path.join(path.dirname(new URL(import.meta.url).pathname), 'faulty.mjs');

// Servers that outlive their gateway end with this process.
const running = new Set();
process.on('exit', () => running.forEach((trial) => trial.endServers()));

// A server that fails on request, or is down from the next start on.
class Server {
  constructor(name, folder) {
    this.name = name;
    this.journal = new Journal(path.join(folder, name + '.journal'));
    this.downFile = path.join(folder, name + '.down');
    this.command = [process.execPath, program, this.journal.file, this.downFile];
  }

  goDown() {
    fs.writeFileSync(this.downFile, '');
  }

  comeBack() {
    fs.rmSync(this.downFile, { force: true });
  }
}

export class Trial extends Contender {
  constructor(subject, probe) {
    const folder = path.join(scratch, subject.name.replace(/\W+/g, '-'), probe);
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder, { recursive: true });
    const servers = (subject.many ? ['sick', 'calm', 'other'] : ['sick']).map((name) => new Server(name, folder));
    super(subject.name, {
      port: !subject.tellsPort,
      path: subject.path,
      cwd: () => folder,
      environment: { HOME: folder, XDG_CONFIG_HOME: folder },
      command: (port) => subject.command(port, folder, servers),
    });
    Object.assign(this, { subject, servers, clients: [] });
    [this.sick, this.calm] = servers;
  }

  // Which servers must answer before the probe may begin.
  async start(needed = this.servers) {
    this.needed = needed;
    running.add(this);
    if (!this.subject.oneClient) {
      return super.start();
    }
    const options = { cwd: this.cwd(), env: { ...process.env, ...this.environment } };
    this.only = new this.subject.Client(this.command(0), options);
    await this.only.connect();
    this.process = this.only.process;
    this.process.gone.then(() => (this.ended = true));
    await this.only.greet();
    await this.call(this.only);
  }

  async session() {
    if (this.only) {
      return this.only;
    }
    const client = await new this.subject.Client(this.url).open();
    this.clients.push(client);
    return client;
  }

  // Retries until it gets a response, and reports why there is none.
  async answering() {
    const until = Date.now() + (this.needed.length > 0 ? READY : NOT_READY);
    let why = 'nothing listens';
    for (; Date.now() < until && !this.ended; await pause(100)) {
      try {
        return await this.call(await this.session());
      } catch (failure) {
        why = failure.message || failure.code;
      }
    }
    throw new Error(this.ended ? `the gateway ends (${why})` : why);
  }

  // Each required server must answer.
  async call(session) {
    for (const server of this.needed) {
      const ending = await this.ask(session, server, 'echo', { message: 'ready' }, { expect: 'Echo: ready', limit: READY });
      if (ending.how !== 'answer') {
        throw new Error(`${server.name}: ${ending.how} ${ending.text}`);
      }
    }
  }

  ask(client, server, tool, given = {}, options = {}) {
    return client.call(this.subject.ask(server.name, tool, given), options);
  }

  echo(client, server = this.sick, limit = 5_000) {
    return this.ask(client, server, 'echo', { message: 'hello' }, { expect: 'Echo: hello', limit });
  }

  // The number of servers that have outlived the gateway.
  async stop() {
    await Promise.all(this.clients.map((client) => client.close()));
    await super.stop();
    await pause(ENDING);
    running.delete(this);
    return this.endServers();
  }

  endServers() {
    const left = this.servers.flatMap((server) => server.journal.living());
    left.forEach((pid) => process.kill(pid, 'SIGKILL'));
    return left.length;
  }
}
