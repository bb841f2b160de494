// The measured contenders: how each is started, where it listens, and how its echo tool is called.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createRequire } from 'node:module';
import { endProcess, launch, pause, root, startProcess } from './processes.mjs';
import { EventSession, HttpSession, StdioSession } from './sessions.mjs';
import { residentMegabytes } from './usage.mjs';

const START_LIMIT = 20_000;
const here = path.dirname(new URL(import.meta.url).pathname);
export const scratch = path.join(root, 'bench/target/gateway');
const modules = path.join(root, 'bench/target/peers/node_modules');
const java = path.join(process.env.JAVA_HOME ?? '/usr', 'bin/java');
// As the launcher sets them for a gateway that passes messages through.
const javaFlags = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xms48m', '-Xmn32m', '-Xmx512m', '--enable-native-access=ALL-UNNAMED'];

export const child = path.resolve(process.env.FUSEBOX_CHILD ?? path.join(here, 'echo.mjs'));
export const responder = path.join(here, 'responder.sh');
export const echoCommand = [process.execPath, child];

// A configuration with one server, as a file.
export const configOf = (name, [command, ...args]) => configWith(name, { command, args });

export function configWith(name, server) {
  fs.mkdirSync(scratch, { recursive: true });
  const file = path.join(scratch, name + '.json');
  fs.writeFileSync(file, JSON.stringify({ mcpServers: { echo: server } }));
  return file;
}

export function serveOverStdio(config) {
  return [...launch, 'serve', '--config', config, '--transport', 'stdio', '--expose', 'proxy', '--no-prefix'];
}

// With the gateway tools, as most clients start it.
export const serveOwnTools = (config) => [...launch, 'serve', '--share', 'off', '--config', config];

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// One gateway: started once, used for sessions, ended by its process id.
export class Contender {
  constructor(name, about) {
    Object.assign(this, { name, tool: 'echo', wrap: (given) => given, Session: HttpSession, path: '/mcp' }, about);
  }

  async start() {
    const port = this.port ? await freePort() : 0;
    this.process = startProcess(this.command(port), {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: this.cwd?.() ?? root,
      env: { ...process.env, ...this.environment },
    });
    // A file of an earlier run may exist.
    this.ended = undefined;
    this.stderr = '';
    this.process.stderr.on('data', (bytes) => (this.stderr = (this.stderr + bytes).slice(-4000)));
    this.process.gone.then((why) => (this.ended = `ended with ${why} `));
    this.url = await this.listening(port);
    await this.answering();
  }

  // Fusebox prints its port, because it chooses a free one.
  async listening(port) {
    const until = Date.now() + START_LIMIT;
    while (Date.now() < until && !this.ended) {
      const told = /http:\/\/127\.0\.0\.1:\d+/.exec(this.stderr);
      if (port || told) {
        return (port ? 'http://127.0.0.1:' + port : told[0]) + this.path;
      }
      await pause(10);
    }
    throw new Error(`${this.name} did not start: ${this.ended ?? ''}${this.stderr.slice(-300)}`);
  }

  async answering() {
    const until = Date.now() + START_LIMIT;
    for (let why = ''; Date.now() < until && !this.ended; await pause(100)) {
      try {
        const session = await this.session();
        await this.call(session).finally(() => session.close());
        return;
      } catch (failure) {
        why = failure.message;
      }
    }
    throw new Error(this.name + ' does not answer: ' + this.stderr.slice(-300));
  }

  session() {
    return new this.Session(this.url).open();
  }

  call(session) {
    return session.call(this.tool, this.wrap({ message: 'hello' }), 'hello');
  }

  big(session, kb) {
    return session.call(this.bigTool ?? 'big', this.wrap({ kb }, 'big'), 1024 * kb);
  }

  // Megabytes in memory, without the children.
  memory() {
    return residentMegabytes(this.process.pid);
  }

  async stop() {
    if (!this.ended) {
      await endProcess(this.process, { signal: 'SIGTERM' });
    }
  }
}

// A child alone, or behind Fusebox, on standard input and output.
export class StdioContender extends Contender {
  constructor(name, command) {
    super(name, { command: () => command });
  }

  async start() {
    this.kept = await this.session();
    await this.call(this.kept);
    this.process = this.kept.process;
  }

  session() {
    return new StdioSession(this.command()).open();
  }

  async stop() {
    await this.kept?.close();
  }
}

export function noOp(name, ...words) {
  const built = [path.join(root, 'bench/target/classes'), path.join(root, 'bench/target/lib/*')].join(':');
  const classpath = process.env.FUSEBOX_BENCH_CLASSES ?? built;
  return [java, ...javaFlags, '-cp', classpath, 'dev.fusebox.bench.' + name, ...words];
}

// The lower bound for a program on a JVM with the same flags.
export const bareJvm = () => [java, ...javaFlags, '-cp', path.join(root, 'bench/target/classes'), 'dev.fusebox.bench.BareJvm'];

// One server passed through, or with `shared` one process for all sessions and names with a prefix.
export function serveOverHttp(config, shared) {
  const words = ['--transport', 'http', '--port', '0', '--expose', 'proxy', ...(shared ? [] : ['--no-prefix'])];
  return [...launch, 'serve', '--share', 'off', '--config', config, ...words];
}

// The others write to their home folder, which is not the user's.
function homeWith(name, lines) {
  const folder = path.join(scratch, name);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, '.slop-mcp.kdl'), ['mcp "echo" {', ...lines(), '}', ''].join('\n'));
  return folder;
}

const quoted = echoCommand.map((word) => JSON.stringify(word));
const kdl = () => ['command ' + quoted[0], 'args ' + quoted.slice(1).join(' ')];

// `home` is a separate folder for each set, and `lines` is the configuration of slop-mcp there.
export function peer(name, about, home = 'home', lines = kdl) {
  const environment = { HOME: path.join(scratch, home), XDG_CONFIG_HOME: path.join(scratch, home) };
  return new Contender(name, { port: true, cwd: () => homeWith(home, lines), environment, ...about });
}

export const node = (file, ...words) => [process.execPath, path.join(modules, file), ...words];

// How those two are called.
export const asHub = { Session: EventSession, tool: 'echo__echo', bigTool: 'echo__big' };
export const asSlop = {
  command: (port) => {
    const { getBinaryPath } = createRequire(modules + '/')('@standardbeagle/slop-mcp/index.js');
    return [getBinaryPath(), 'serve', '--port', port];
  },
  Session: EventSession,
  path: '/sse',
  tool: 'execute_tool',
  bigTool: 'execute_tool',
  wrap: (given, tool = 'echo') => ({ mcp_name: 'echo', tool_name: tool, parameters: given }),
};

export const peers = [
  peer('mcp-proxy', {
    command: (port) =>
      node('mcp-proxy/dist/bin/mcp-proxy.mjs', '--port', port, '--host', '127.0.0.1', '--server', 'stream', '--', ...echoCommand),
  }),
  peer('mcp-hub', {
    command: (port) => node('mcp-hub/dist/cli.js', '--port', port, '--config', configOf('echo', echoCommand)),
    ...asHub,
  }),
  peer('supergateway', {
    command: (port) => {
      const stdio = echoCommand.join(' ');
      const way = ['--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none'];
      return node('supergateway/dist/index.js', '--stdio', stdio, ...way, '--port', port);
    },
  }),
  peer('slop-mcp', asSlop),
];
export const overHttp = [
  new Contender('no-op', { command: () => noOp('NoOp', ...echoCommand) }),
  new Contender('Fusebox', { command: () => serveOverHttp(configOf('echo', echoCommand)) }),
  new Contender('Fusebox shared', {
    command: () => serveOverHttp(configOf('echo', echoCommand), true),
    tool: 'echo__echo',
    bigTool: 'echo__big',
  }),
];
export const overStdio = [
  new StdioContender('direct', echoCommand),
  new StdioContender('no-op', noOp('NoOpStdio', ...echoCommand)),
  new StdioContender('Fusebox', serveOverStdio(configOf('echo', echoCommand))),
];
