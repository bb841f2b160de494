// Two clients with different tokens in their environment, to which the configuration refers: each has its own process of the
// server, and no call reaches the other's.
import fs from 'node:fs';
import path from 'node:path';
import { Home, scripted, withHome } from './home.mjs';

const QUICK = 2_000;
const FULL = 100_000;
const AT_ONCE = 8;
const TOKENS = ['token-of-ada', 'token-of-ben'];

// The calls of one client, some at a time; returns what was answered with another token, otherwise or not at all.
async function calls(client, token, many) {
  const found = { mixed: [], failed: [], processes: new Set() };
  let next = 0;
  const some = async () => {
    while (next < many) {
      const key = `${token}/${next++}`;
      const { text, isError, broken } = await client.call('s__who', { key });
      const [said, pid, echoed] = text.split(' ');
      if (isError) {
        found.failed.push(broken ?? text);
      } else if (said !== token || echoed !== key) {
        found.mixed.push(text);
      }
      found.processes.add(pid);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
  return found;
}

export async function tokens(quick) {
  const many = quick ? QUICK : FULL;
  const home = new Home((folder) => ({ s: scripted(folder, { TOKEN: '${TOKEN}' }) }));
  return withHome(home, async () => {
    const clients = await Promise.all(TOKENS.map((TOKEN) => home.client({ env: { TOKEN } }).open()));
    const begun = performance.now();
    const found = await Promise.all(clients.map((client, i) => calls(client, TOKENS[i], many / TOKENS.length)));
    const seconds = (performance.now() - begun) / 1000;
    const [mixed, failed] = [found.flatMap((one) => one.mixed), found.flatMap((one) => one.failed)];
    const alive = home.servers().length;
    const starts = fs.readFileSync(path.join(home.folder, 'starts'), 'utf8').split('\n').length - 1;
    const perClient = Math.max(...found.map((one) => one.processes.size));
    return {
      figures: [
        [`calls of ${many} answered for another client`, mixed.length, 0, mixed.length === 0],
        ['calls that failed', failed.length, 0, failed.length === 0],
        ['processes of the server', alive, TOKENS.length, alive === TOKENS.length],
        ['starts of the server', starts, TOKENS.length, starts === TOKENS.length],
        ['processes that answered one client', perClient, 1, perClient === 1],
      ],
      notes: `${(many / seconds).toFixed(0)} calls/s${failed.length ? '; ' + failed[0] : ''}${mixed.length ? '; ' + mixed[0] : ''}`,
    };
  });
}
