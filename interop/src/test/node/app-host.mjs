// A host of apps in headless Chromium: renders the apps of a gateway and prints what they have reported as one line of
// JSON. The argument is the address of the gateway. Environment: CHROMIUM (the program).
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChromium } from './chromium.mjs';

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

const { page, end } = startChromium('app-host', 90_000);

async function opened(url) {
  const events = [];
  let loaded;
  const isLoaded = new Promise((resolve) => (loaded = resolve));
  const send = await page(['Page', 'Runtime', 'Log'], (method, params) => {
    if (method === 'Page.loadEventFired') loaded();
    if (method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded') events.push(params);
  });
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
