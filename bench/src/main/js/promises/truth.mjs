// P23: diagnostics of servers that do not work.
import fs from 'node:fs';
import net from 'node:net';
import http from 'node:http';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { root } from '../processes.mjs';
import { Gateway, newFolder, small } from './gateway.mjs';
import { Clients } from './open.mjs';

const node = (program) => ({ command: process.execPath, args: ['-e', program] });

// A port with a server that responds in this way, and a function that closes it.
function answering(status, type, body) {
  return new Promise((resolve) => {
    const server = http.createServer((request, answer) => answer.writeHead(status, { 'content-type': type }).end(body));
    server.listen(0, '127.0.0.1', () => resolve({ url: `http://127.0.0.1:${server.address().port}/mcp`, close: () => server.close() }));
  });
}

function refusedPort() {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// One server for each kind of failure.
async function broken(folder) {
  const plain = path.join(folder, 'plain.txt');
  fs.writeFileSync(plain, 'no program', { mode: 0o644 });
  const answers = [];
  const urls = {};
  for (const [name, status, type] of [['page', 200, 'text/html'], ['locked', 401, 'text/plain'], ['forbidden', 403, 'text/plain'], ['elsewhere', 404, 'text/plain'], ['ill', 500, 'text/plain']]) {
    const there = await answering(status, type, '<html>hello</html>');
    answers.push(there);
    urls[name] = { url: there.url };
  }
  const servers = {
    missing: { command: 'no-such-command-anywhere' },
    notExecutable: { command: plain },
    dies: node('console.error("no database"); process.exit(1)'),
    says127: node('process.exit(127)'),
    killed: node('process.kill(process.pid, "SIGKILL")'),
    silent: { command: 'sleep', args: ['1000'] },
    chatty: node('setInterval(() => console.log("still here"), 50)'),
    noVariable: { ...small(), env: { KEY: '${P23_IS_NOT_SET}' } },
    refused: { url: `http://127.0.0.1:${await refusedPort()}/mcp` },
    ...urls,
  };
  return { servers, close: () => answers.forEach((one) => one.close()) };
}

function doctor(folder, servers) {
  const file = path.join(folder, 'config.json');
  fs.writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  const env = { ...process.env, FUSEBOX_HOME: path.join(folder, 'home') };
  return new Promise((resolve) => {
    execFile(path.join(root, 'fusebox'), ['doctor', '--config', file, '--json', '--timeout', '8000'], { env, maxBuffer: 1 << 26 }, (failure, out) =>
      resolve({ code: failure ? failure.code : 0, told: JSON.parse(out) }),
    );
  });
}

const isTold = ({ findings }) => {
  const failed = findings.filter(({ severity }) => severity === 'fail');
  return failed.length > 0 && failed.every(({ cause, remedy }) => cause && remedy);
};

// Repeated log lines about one server within a minute.
async function repeated() {
  const gateway = new Gateway('P23', { mcpServers: { s1: small(), ill: node('console.error("no database"); process.exit(1)') } });
  try {
    await gateway.start();
    const clients = await new Clients(gateway).more(4);
    for (let i = 0; i < 200; i++) {
      await clients.call('ill__echo', {});
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await clients.close();
    const lines = new Map();
    for (const line of gateway.log.split('\n').filter((one) => /WARN|ERROR/.test(one) && one.includes('ill'))) {
      const words = line.replace(/^\S+\s+/, '').replaceAll(/\d+/g, '#');
      lines.set(words, (lines.get(words) ?? 0) + 1);
    }
    return { most: Math.max(0, ...lines.values()), kinds: lines.size };
  } finally {
    await gateway.stop();
  }
}

export async function p23() {
  const folder = newFolder();
  const { servers, close } = await broken(folder);
  const well = { one: small(), two: small() };
  try {
    const all = await doctor(folder, { ...servers, ...well });
    const none = await doctor(folder, well);
    const alone = [];
    for (const [name, server] of Object.entries(servers)) alone.push((await doctor(folder, { [name]: server, ...well })).code);
    const silent = all.told.servers.filter(({ name }) => name in servers).filter((one) => !isTold(one));
    const wronged = all.told.servers.filter(({ name }) => name in well).filter(({ severity }) => severity === 'fail').length;
    const { most, kinds } = await repeated();
    const count = Object.keys(servers).length;
    return {
      figures: [
        [`broken servers of ${count} without cause and remedy`, silent.length, 0, silent.length === 0],
        ['healthy ones beside them that were called broken', wronged, 0, wronged === 0],
        ['exit code with all of them', all.code, 1, all.code === 1],
        [`exits with 0 of ${count}, each alone between healthy ones`, alone.filter((code) => code === 0).length, 0, alone.every((code) => code === 1)],
        ['exit code with healthy ones alone', none.code, 0, none.code === 0],
        ['the same words about one server within a minute, at most', most, 1, most <= 1],
      ],
      notes: `${kinds} different lines about a server that dies at every start, in 200 calls within ten seconds${silent.length ? '; without: ' + silent.map(({ name }) => name).join(', ') : ''}`,
    };
  } finally {
    close();
  }
}
