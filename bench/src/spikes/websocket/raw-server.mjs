// A raw WebSocket server: raw-server.mjs PORT KIND. `echo` answers each request; the others send one hostile answer to
// the first request: big (a result of 64 MiB), slices (the same in frames of a byte), pings (a million, then the result),
// masked, reserved, opcode, binary, utf8, fragmented-ping, long-ping, continuation, accept, extension.
import net from 'node:net';
import { createHash } from 'node:crypto';

const [port, kind] = process.argv.slice(2);
const bytes = (...values) => Buffer.from(values);

function frame(first, payload) {
  const length = payload.length;
  const head = length < 126 ? bytes(first, length) : length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = first;
  if (head.length === 4) (head[1] = 126), head.writeUInt16BE(length, 2);
  if (head.length === 10) (head[1] = 127), head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

const result = (id, text) => Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"text":"${text}"}}`);

function answer(socket, id) {
  const good = result(id, 'x'.repeat(150));
  switch (kind) {
    case 'echo': return socket.write(frame(0x81, good));
    case 'big': return socket.write(frame(0x81, result(id, 'x'.repeat(64 << 20))));
    case 'pings': {
      const flood = Buffer.concat(Array.from({ length: 1000 }, () => frame(0x89, Buffer.alloc(125))));
      socket.pause();
      for (let i = 0; i < 1000; i++) socket.write(flood);
      return socket.write(frame(0x81, good));
    }
    case 'masked': return socket.write(Buffer.concat([bytes(0x81, 0x82, 0, 0, 0, 0), Buffer.from('{}')]));
    case 'reserved': return socket.write(frame(0xc1, good));
    case 'opcode': return socket.write(frame(0x83, good));
    case 'binary': return socket.write(frame(0x82, good));
    case 'utf8': return socket.write(frame(0x81, Buffer.concat([good, bytes(0xc0, 0x80)])));
    case 'fragmented-ping': return socket.write(Buffer.concat([frame(0x09, bytes()), frame(0x81, good)]));
    case 'long-ping': return socket.write(Buffer.concat([frame(0x89, Buffer.alloc(200)), frame(0x81, good)]));
    case 'continuation': return socket.write(frame(0x80, good));
    default: return socket.write(frame(0x81, good));
  }
}

net.createServer((socket) => {
  let seen = Buffer.alloc(0);
  let isOpen = false;
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', (piece) => {
    seen = Buffer.concat([seen, piece]);
    if (!isOpen) {
      const end = seen.indexOf('\r\n\r\n');
      if (end < 0) return;
      const key = /sec-websocket-key: *(\S+)/i.exec(seen.toString('latin1'))[1];
      const hash = createHash('sha1').update(key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        `Sec-WebSocket-Protocol: mcp\r\n${kind === 'extension' ? 'Sec-WebSocket-Extensions: permessage-deflate\r\n' : ''}` +
        `Sec-WebSocket-Accept: ${kind === 'accept' ? 'A' : ''}${hash}\r\n\r\n`);
      seen = seen.subarray(end + 4);
      isOpen = true;
    }
    while (seen.length >= 2) {
      const shown = seen[1] & 0x7f;
      const head = (shown < 126 ? 2 : 4) + 4;
      if (seen.length < head) return;
      const length = shown < 126 ? shown : seen.readUInt16BE(2);
      if (seen.length < head + length) return;
      const text = Buffer.from(seen.subarray(head, head + length)).map((byte, i) => byte ^ seen[head - 4 + (i & 3)]);
      const opcode = seen[0] & 0x0f;
      seen = seen.subarray(head + length);
      if (opcode === 1) answer(socket, JSON.parse(text.toString()).id);
      if (opcode === 8) socket.end();
    }
  });
}).listen(Number(port), '127.0.0.1', () => console.log('ready'));
