// The official server "everything" over WebSocket, by the package ws. Prints its address.
import { WebSocketServer } from 'ws';
import { createServer } from './node_modules/@modelcontextprotocol/server-everything/dist/server/index.js';

function transportOver(socket) {
  const transport = {
    async start() {
      socket.on('message', (data) => transport.onmessage?.(JSON.parse(data)));
      socket.on('close', () => transport.onclose?.());
      socket.on('error', (error) => transport.onerror?.(error));
    },
    send: async (message) => socket.send(JSON.stringify(message)),
    close: async () => socket.close(),
  };
  return transport;
}

const listener = new WebSocketServer({ host: '127.0.0.1', port: 0, handleProtocols: (offered) => offered.has('mcp') && 'mcp' });
listener.on('connection', (socket) => {
  const { server, cleanup } = createServer();
  socket.on('close', () => cleanup?.());
  server.connect(transportOver(socket));
});
listener.on('listening', () => console.log(`listening on ws://127.0.0.1:${listener.address().port}/mcp`));
