// A person with a browser: opens the address of an authorization in headless Chromium, fills in the form of the login,
// clicks on the consent, and waits for the final page. Writes one line of JSON to standard output: the texts of the
// pages that were shown, and what the final page has loaded.
//
// The argument is the address. Environment: LOGIN_USERNAME, LOGIN_PASSWORD, CHROMIUM (the program).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LIMIT_MS = 60_000;
const profile = mkdtempSync(join(tmpdir(), 'browser-login-'));
const browser = spawn(
  process.env.CHROMIUM ?? 'chromium',
  // The sandbox of Chromium does not start as root, and these pages come from this machine.
  ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run',
    '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
  { stdio: ['ignore', 'ignore', 'pipe'] },
);
const timer = setTimeout(() => fail(`no final page within ${LIMIT_MS} ms`), LIMIT_MS);

function fail(reason) {
  console.error(`browser-login: ${reason}`);
  end(1);
}

function end(code) {
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

/** A connection to one page: `send` for commands, `requests` with what it loads. */
async function page(address) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map();
  const requests = [];
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.method === 'Network.requestWillBeSent') requests.push(message.params.request.url);
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
  await send('Network.enable');
  await send('Page.enable');
  return { send, requests };
}

// Runs in the page: acts on what it shows. Returns where it is, and whether it has acted.
const STEP = (username, password) => {
  const field = (name) => document.querySelector(`input[name=${name}]`);
  const seen = { url: location.href, title: document.title, text: document.body?.innerText ?? '', acted: false };
  if (document.readyState !== 'complete' || window.hasActed) return seen;
  const accept = document.querySelector('[name=accept]');
  if (field('username')) {
    field('username').value = username;
    field('password').value = password;
    window.hasActed = seen.acted = true;
    field('username').form.requestSubmit();
  } else if (accept) {
    window.hasActed = seen.acted = true;
    accept.click();
  }
  return seen;
};

try {
  const { send, requests } = await page(await debuggingAddress());
  const start = process.argv[2];
  const callback = new URL(start).searchParams.get('redirect_uri');
  const expression = `(${STEP})(${JSON.stringify(process.env.LOGIN_USERNAME)}, ${JSON.stringify(process.env.LOGIN_PASSWORD)})`;
  const pages = [];
  await send('Page.navigate', { url: start });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    // Between two pages there is no context to evaluate in.
    const seen = (await send('Runtime.evaluate', { expression, returnByValue: true }).catch(() => ({}))).result?.value;
    if (seen?.acted) pages.push(`${seen.title}\n${seen.text}`);
    if (seen?.url.startsWith(callback) && seen.text !== '') {
      const at = requests.findLastIndex((url) => url.startsWith(callback));
      // The query holds the code.
      const loaded = requests.slice(at + 1).map((url) => url.split('?')[0]);
      console.log(JSON.stringify({ pages, title: seen.title, text: seen.text, loaded }));
      end(0);
      break;
    }
  }
} catch (error) {
  fail(error.message);
}
