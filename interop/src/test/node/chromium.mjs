// Headless Chromium as a process of its own, with one page that is driven by commands of its debugging protocol.
// Environment: CHROMIUM (the program).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Starts Chromium. `end(code, reason)` ends it and this process, which also happens after `limitMs`.
 *
 * `page(domains, onEvent)` opens a page with events of these domains; it gives `send`, which sends a command.
 */
export function startChromium(name, limitMs) {
  const profile = mkdtempSync(join(tmpdir(), `${name}-`));
  const browser = spawn(
    process.env.CHROMIUM ?? 'chromium',
    // The sandbox of Chromium does not start as root, and these pages come from this machine.
    ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run',
      '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const timer = setTimeout(() => end(1, `not done within ${limitMs} ms`), limitMs);

  function end(code, reason) {
    if (reason) console.error(`${name}: ${reason}`);
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

  async function page(domains, onEvent) {
    const socket = new WebSocket(await debuggingAddress());
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    const waiting = new Map();
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.method) onEvent(message.method, message.params);
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
    for (const domain of domains) await send(`${domain}.enable`);
    return send;
  }

  return { page, end };
}
