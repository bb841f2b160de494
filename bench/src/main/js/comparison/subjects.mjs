// The compared gateways: how each is started and called.
import fs from 'node:fs';
import path from 'node:path';
import { asSlop, node } from '../contenders.mjs';
import { root } from '../processes.mjs';
import { EventClient, HttpClient, StdioClient } from './clients.mjs';

const installed = path.join(root, 'bench/target/peers');
// A local build of MetaMCP, if it is not available from the registry.
const metamcp = process.env.FUSEBOX_METAMCP ?? path.join(installed, 'node_modules/@mentu/metamcp');

function versionIn(folder) {
  const file = path.join(folder, 'package.json');
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).version : undefined;
}

const npmVersion = (name) => versionIn(path.join(installed, 'node_modules', name));

// The format that most of them read.
function mcpServers(folder, servers) {
  const file = path.join(folder, 'servers.json');
  const entries = servers.map(({ name, command: [command, ...args] }) => [name, { command, args }]);
  fs.writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  return file;
}

function kdl(folder, servers) {
  const quoted = (words) => words.map((word) => JSON.stringify(word)).join(' ');
  const blocks = servers.map(({ name, command: [command, ...args] }) =>
    [`mcp "${name}" {`, 'command ' + quoted([command]), 'args ' + quoted(args), '}', ''].join('\n'),
  );
  fs.writeFileSync(path.join(folder, '.slop-mcp.kdl'), blocks.join(''));
}

const prefixed = (server, tool, given) => ({ name: `${server}__${tool}`, arguments: given });
const plain = (server, tool, given) => ({ name: tool, arguments: given });
const serve = (file, ...words) => [
  path.join(root, 'fusebox'),
  ...['serve', '--config', file, '--transport', 'http', '--port', '0', '--expose', 'proxy', ...words],
];

// `many`: whether it serves several servers at once. `tellsPort`: chooses its port and prints it.
export const subjects = [
  {
    name: 'Fusebox',
    version: () => 'this checkout',
    many: true,
    tellsPort: true,
    Client: HttpClient,
    path: '/mcp',
    command: (port, folder, servers) => serve(mcpServers(folder, servers)),
    ask: prefixed,
  },
  {
    name: 'Fusebox, one server',
    version: () => 'this checkout, `--no-prefix`',
    tellsPort: true,
    Client: HttpClient,
    path: '/mcp',
    command: (port, folder, servers) => serve(mcpServers(folder, servers), '--no-prefix'),
    ask: plain,
  },
  {
    name: 'mcp-proxy',
    version: () => npmVersion('mcp-proxy'),
    Client: HttpClient,
    path: '/mcp',
    command: (port, folder, [{ command }]) =>
      node('mcp-proxy/dist/bin/mcp-proxy.mjs', '--port', port, '--host', '127.0.0.1', '--server', 'stream', '--', ...command),
    ask: plain,
  },
  {
    name: 'supergateway',
    version: () => npmVersion('supergateway'),
    Client: HttpClient,
    path: '/mcp',
    command: (port, folder, [{ command }]) => {
      const way = ['--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none'];
      return node('supergateway/dist/index.js', '--stdio', command.join(' '), ...way, '--port', port);
    },
    ask: plain,
  },
  {
    name: 'mcp-hub',
    version: () => npmVersion('mcp-hub'),
    many: true,
    Client: EventClient,
    path: '/mcp',
    command: (port, folder, servers) =>
      node('mcp-hub/dist/cli.js', '--port', port, '--config', mcpServers(folder, servers)),
    ask: prefixed,
  },
  {
    name: 'slop-mcp',
    version: () => npmVersion('@standardbeagle/slop-mcp'),
    many: true,
    Client: EventClient,
    path: '/sse',
    command: (port, folder, servers) => {
      kdl(folder, servers);
      return asSlop.command(port);
    },
    ask: (server, tool, given) => ({
      name: 'execute_tool',
      arguments: { mcp_name: server, tool_name: tool, parameters: given },
    }),
  },
  {
    name: 'MetaMCP',
    version: () => versionIn(metamcp),
    many: true,
    oneClient: true,
    Client: StdioClient,
    command: (port, folder, servers) => [
      process.execPath,
      path.join(metamcp, 'dist/index.js'),
      '--config',
      mcpServers(folder, servers),
    ],
    ask: (server, tool, given) => ({ name: 'mcp_call', arguments: { server, tool, args: given } }),
  },
];
