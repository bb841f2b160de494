// A host of apps in headless Chromium: renders the apps of a gateway and prints what they have reported as one line of
// JSON. The argument is the address of the gateway. Environment: CHROMIUM (the program).
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LIMIT_MS = 90_000;
const HERE = fileURLToPath(new URL('.', import.meta.url));
const gateway = new URL(process.argv[2]);

// ---- What the page loads: our script, packages, and the gateway under the same origin

/** Where a package is, as the page loads it. */
const at = (specifier) => import.meta.resolve(specifier).slice(import.meta.url.lastIndexOf('/'));
const IMPORTS = Object.fromEntries(
  [
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/core',
    '@modelcontextprotocol/core/internal',
    '@modelcontextprotocol/ext-apps/app-bridge',
    'eventsource',
    'eventsource-parser',
    'eventsource-parser/stream',
    'zod/v4',
  ].map((specifier) => [specifier, at(specifier)]),
);
IMPORTS['@modelcontextprotocol/client/_shims'] = at('@modelcontextprotocol/client/_shims').replace('Node', 'Browser');
IMPORTS['pkce-challenge'] = at('pkce-challenge').replace('index.node.js', 'index.browser.js');
const PAGE = `<!doctype html><html><head><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script></head>
<body><script type="module">
  import { run } from '/app-page.mjs';
  window.outcome = run('/mcp').catch((error) => ({ failed: String(error?.stack ?? error) }));
</script></body></html>`;

function serve(incoming, outgoing) {
  const path = new URL(incoming.url, 'http://localhost').pathname;
  if (path === '/mcp') {
    const { origin, host, referer, ...headers } = incoming.headers;
    const forwarded = request(gateway, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  } else if (path === '/') {
    outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE);
  } else if (path === '/app-page.mjs' || path.startsWith('/node_modules/')) {
    outgoing.writeHead(200, { 'Content-Type': 'text/javascript' }).end(readFileSync(join(HERE, path)));
  } else {
    outgoing.writeHead(404).end();
  }
}

const pages = createServer((incoming, outgoing) => {
  try {
    serve(incoming, outgoing);
  } catch (error) {
    outgoing.writeHead(404).end(error.message);
  }
});
await new Promise((resolve) => pages.listen(0, '127.0.0.1', resolve));

// ---- The browser

const profile = mkdtempSync(join(tmpdir(), 'app-host-'));
const browser = spawn(
  process.env.CHROMIUM ?? 'chromium',
  // The sandbox of Chromium does not start as root, and these pages come from this machine.
  ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run',
    '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
  { stdio: ['ignore', 'ignore', 'pipe'] },
);
const timer = setTimeout(() => end(1, `not done within ${LIMIT_MS} ms`), LIMIT_MS);

function end(code, reason) {
  if (reason) console.error(`app-host: ${reason}`);
  clearTimeout(timer);
  browser.once('exit', () => {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    process.exit(code);
  });
  browser.kill('SIGKILL');
}

/** The address that Chromium listens on for commands. */
function debuggingAddress() {
  return new Promise((resolve, reject) => {
    let seen = '';
    browser.stderr.on('data', (data) => {
      seen += data;
      const found = /DevTools listening on (ws:\S+)/.exec(seen);
      if (found) resolve(found[1]);
    });
    browser.on('error', reject);
    browser.on('exit', () => reject(new Error(`Chromium has ended: ${seen}`)));
  });
}

async function opened(url) {
  const socket = new WebSocket(await debuggingAddress());
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map();
  const events = [];
  let loaded;
  const isLoaded = new Promise((resolve) => (loaded = resolve));
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.method === 'Page.loadEventFired') loaded();
    if (message.method === 'Runtime.exceptionThrown' || message.method === 'Log.entryAdded') events.push(message.params);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  };
  let last = 0;
  let sessionId;
  const send = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, ({ result, error }) => (error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result)));
      socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  sessionId = (await send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
  for (const domain of ['Page', 'Runtime', 'Log']) await send(`${domain}.enable`);
  await send('Page.navigate', { url });
  await isLoaded;
  return { send, events };
}

try {
  const { send, events } = await opened(`http://127.0.0.1:${pages.address().port}/`);
  const { result } = await send('Runtime.evaluate', { expression: 'window.outcome', awaitPromise: true, returnByValue: true });
  if (result.value === undefined || result.value.failed) {
    end(1, `${result.value?.failed ?? 'the page has not started'}; ${JSON.stringify(events)}`);
  } else {
    console.log(JSON.stringify(result.value));
    end(0);
  }
} catch (error) {
  end(1, error.message);
}
