// Sessions: 32 and 256 of them over HTTP before one server on standard input and output, which they share or which each
// of them has for itself (`--no-prefix`), with default settings. After its first call a session starts no process and
// keeps the one that it has; a session without a place is refused at its first call with the reason.
import fs from 'node:fs';
import { pause } from '../contenders.mjs';
import { HttpSession } from '../sessions.mjs';
import { Gateway, newFolder, small } from './gateway.mjs';

const FEW = 32;
const MANY = 256;
// So many sessions make their first call at once.
const AT_ONCE = 8;
// Of 24 GiB.
const LEAST_PLACES = 96;

const starts = (folder) => fs.readdirSync(folder).filter((file) => file.endsWith('.json')).length;

class Served extends Gateway {
  constructor(name, folder, isOwn) {
    super(name, { mcpServers: { s: small({ JOURNAL: folder }) } }, isOwn ? ['--no-prefix'] : []);
    this.Session = HttpSession;
    this.prefix = isOwn ? '' : 's__';
  }

  async asked(session, tool) {
    const result = await session.request('tools/call', { name: this.prefix + tool, arguments: { message: 'm' } });
    if (result.isError) {
      throw new Error(result.content?.[0]?.text ?? 'an error');
    }
    return result.content[0].text;
  }

  // Its session and its process, or why it has none.
  async first() {
    let session;
    try {
      session = await this.session();
      return { session, process: await this.asked(session, 'who') };
    } catch (failure) {
      session?.close();
      return { refusal: failure.message };
    }
  }
}

async function load(gateway, sessions, seconds) {
  const until = performance.now() + 1000 * seconds;
  let [calls, failures] = [0, 0];
  const ask = async ({ session }) => {
    while (performance.now() < until) {
      try {
        await gateway.asked(session, 'echo');
        calls++;
      } catch {
        failures++;
        await pause(50);
      }
    }
  };
  const begun = performance.now();
  await Promise.all(sessions.map(ask));
  return { rate: calls / ((performance.now() - begun) / 1000), failures };
}

async function run(count, isOwn, seconds) {
  const folder = newFolder();
  const gateway = new Served('sessions', folder, isOwn);
  try {
    await gateway.start();
    const all = [];
    while (all.length < count) {
      all.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => gateway.first()))));
    }
    const served = all.filter((one) => one.session);
    const refusals = all.filter((one) => one.refusal).map((one) => one.refusal);
    await load(gateway, served, seconds / 2);
    const before = starts(folder);
    const { rate, failures } = await load(gateway, served, seconds);
    const more = starts(folder) - before;
    const after = await Promise.all(served.map(({ session }) => gateway.asked(session, 'who')));
    const moved = after.filter((process, i) => process !== served[i].process).length;
    await Promise.all(served.map(({ session }) => session.close()));
    return { served: served.length, refusals, rate, failures, more, moved, started: before };
  } finally {
    await gateway.stop();
  }
}

// All who are refused are told how many places there are, and the key.
const isReason = (refusal) => /all \d+ places \(pool\.poolSize\)/.test(refusal);

function figures(how, few, many) {
  const least = Math.min(MANY, LEAST_PLACES);
  const share = many.rate / few.rate;
  const odd = many.refusals.filter((refusal) => !isReason(refusal)).length;
  const ended = few.failures + many.failures;
  return [
    [`${how}: processes started after the first calls, with ${FEW} and ${MANY} sessions`, few.more + many.more, 0, few.more + many.more === 0],
    [`${how}: sessions that have another process than at first`, few.moved + many.moved, 0, few.moved + many.moved === 0],
    [`${how}: sessions served of ${FEW}`, few.served, FEW, few.served === FEW],
    [`${how}: sessions served of ${MANY}, at least`, many.served, least, many.served >= least],
    [`${how}: refused without the number of places and the key`, odd, 0, odd === 0],
    [`${how}: calls that failed after the first`, ended, 0, ended === 0],
    [`${how}: calls/s with ${FEW} sessions`, few.rate, '-', null],
    [`${how}: calls/s with ${MANY} sessions, against those`, share, 2 / 3, share >= 2 / 3, 'x'],
  ];
}

export async function sessions(quick) {
  const seconds = quick ? 5 : 20;
  const all = {};
  for (const how of ['shared', '--no-prefix']) {
    const isOwn = how === '--no-prefix';
    all[how] = [await run(FEW, isOwn, seconds), await run(MANY, isOwn, seconds)];
  }
  const own = all['--no-prefix'][1];
  return {
    figures: Object.entries(all).flatMap(([how, [few, many]]) => figures(how, few, many)),
    notes: `${seconds} s of load each, after half of that to warm up; with --no-prefix ${own.refusals.length} of ${MANY} sessions were refused: ${own.refusals[0] ?? 'none'}`,
  };
}
