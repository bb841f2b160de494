// Benchmark of gateways in front of a server over HTTP. All contenders of an era have the same echo server, which is also
// measured alone.
import path from 'node:path';
import { Contender, asHub, asSlop, configWith, node, noOp, peer, serveOverHttp } from './contenders.mjs';
import { HttpSession, StatelessSession } from './sessions.mjs';

const program = path.join(path.dirname(new URL(import.meta.url).pathname), 'remote-echo.mjs');

function ours(era, Session) {
  const server = new Contender('direct', {
    port: true,
    command: (port) => [process.execPath, program, era, String(port)],
    Session,
  });
  const config = () => configWith('remote-' + era, { url: server.url });
  return [
    server,
    new Contender('no-op', { command: () => noOp('NoOpRemote', server.url), Session }),
    new Contender('Fusebox', { command: () => serveOverHttp(config()), Session }),
  ];
}

// Two of the other gateways support an upstream server over HTTP; both use one session with it for all clients.
function others([server]) {
  const kdl = () => ['type "streamable"', `url "${server.url}"`];
  const config = () => configWith('remote-hub', { url: server.url });
  return [
    peer('mcp-hub', { ...asHub, command: (port) => node('mcp-hub/dist/cli.js', '--port', port, '--config', config()) }, 'remote-home', kdl),
    peer('slop-mcp', asSlop, 'remote-home', kdl),
  ];
}

const session = ours('session', HttpSession);

// The same server and client, with a WebSocket in between.
const webSocket = new Contender('Fusebox, WebSocket', {
  command: () => serveOverHttp(configWith('remote-websocket', { url: session[0].url.replace('http:', 'ws:') })),
});

// era -> contenders; no other gateway uses the stateless era with a server over HTTP.
export const remote = {
  session: [...session, webSocket, ...others(session)],
  stateless: ours('stateless', StatelessSession),
};
