// A user whose clients share a gateway: one configuration file, and a folder of Fusebox of its own.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { launch, until } from '../processes.mjs';
import { Client, Link } from './client.mjs';
import { ended, runs, withText, words } from './proc.mjs';

const here = path.dirname(new URL(import.meta.url).pathname);
const END_LIMIT = 30_000;
// A gateway ends this long after its last client.
const IDLE = 500;

const folders = [];
process.on('exit', () => folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

// An empty folder. The path of a socket is limited to 103 characters, so it is not in the checkout.
export function newFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fusebox-share-'));
  folders.push(folder);
  return folder;
}

// A scripted server. Its folder in the command line shows to which home its processes belong.
export const scripted = (folder, env = {}, keys = {}) => ({
  command: process.execPath,
  args: [path.join(here, 'server.mjs'), folder],
  env,
  ...keys,
});

export class Home {
  // @param servers gets the folder, and returns the servers of the configuration
  constructor(servers, keys = {}) {
    this.folder = newFolder();
    this.file = path.join(this.folder, 'config.json');
    this.clients = [];
    const config = { mcpServers: servers(this.folder), share: { idleMs: IDLE }, ...keys };
    fs.writeFileSync(this.file, JSON.stringify(config));
  }

  environment(more) {
    return { ...process.env, FUSEBOX_HOME: path.join(this.folder, 'home'), ...more };
  }

  // A client that is not open yet.
  //
  // @param about options of Client, and {launcher, share}
  client({ launcher = launch, share = 'auto', env, ...about } = {}) {
    const command = [...launcher, 'serve', '--config', this.file, '--share', share, '--expose', 'proxy'];
    const client = new Client(command, { env: this.environment(env), ...about });
    this.clients.push(client);
    return client;
  }

  // A client at the socket of the gateway, which must run.
  link() {
    const run = path.join(this.folder, 'home', 'run');
    const socket = fs.readdirSync(run).find((name) => /^shared-.*\.sock$/.test(name));
    const link = new Link(path.join(run, socket), fs.realpathSync(this.file));
    this.clients.push(link);
    return link;
  }

  // The process ids of its shared gateways. What a launcher has not made a JVM yet is none.
  gateways() {
    return withText(this.file).filter((pid) => words(pid).includes('shared') && words(pid)[0].endsWith('java'));
  }

  // The process id of the gateway that serves, when there is one.
  async gateway() {
    let found = [];
    await until(() => (found = this.gateways()).length === 1);
    return found[0];
  }

  // Processes of scripted servers.
  servers() {
    return withText('server.mjs\0' + this.folder);
  }

  // All processes of this home: clients' connectors, gateways, and servers.
  processes() {
    return withText(this.folder);
  }

  // Ends the clients, and waits for everything else to end. Returns the number of processes that did not.
  async close() {
    await Promise.all(this.clients.map((client) => client.close()));
    const left = await ended(() => this.processes(), END_LIMIT);
    left.filter(runs).forEach((pid) => process.kill(pid, 'SIGKILL'));
    return left.length;
  }
}

// Works with a home, and closes it. The figures that the work returns get one more.
export async function withHome(home, work) {
  let measured;
  try {
    measured = await work(home);
  } finally {
    const left = await home.close();
    measured?.figures.push(['processes left over at the end', left, 0, left === 0]);
  }
  return measured;
}
