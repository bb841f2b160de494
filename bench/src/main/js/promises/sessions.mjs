// Sessions: 256 of them over HTTP, and the first 32 of these, before one server on standard input and output. They share
// its process, or each of them has its own (`--no-prefix`), with default settings. After its first call a session
// starts no process and keeps its own; a session without a slot is rejected at its first call, with the reason.
import fs from 'node:fs';
import path from 'node:path';
import { pause } from '../processes.mjs';
import { median } from '../load.mjs';
import { HttpSession, StdioSession } from '../sessions.mjs';
import { Gateway, newFolder, serverProgram } from './gateway.mjs';

const FEW = 32;
const MANY = 256;
// The number of sessions that make their first call concurrently.
const AT_ONCE = 8;
// Of 24 GiB.
const LEAST_PLACES = 96;

// Each process writes a line to this file when it starts, and nothing later.
const counted = (file) => ({
  command: 'sh',
  args: ['-c', 'echo $$ >> "$0"; exec "$@"', file, process.execPath, serverProgram],
});
const starts = (file) => fs.readFileSync(file, 'utf8').split('\n').length - 1;
const reasonOf = (refusal) => /"message":"([^"]*)"/.exec(refusal)?.[1] ?? refusal;

class Served extends Gateway {
  constructor(name, file, isOwn) {
    super(name, { mcpServers: { s: counted(file) } }, isOwn ? ['--no-prefix'] : []);
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

  // Its session and its process, or the reason why it has none.
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

async function load(sessions, ask, seconds) {
  const until = performance.now() + 1000 * seconds;
  let [calls, failures] = [0, 0];
  const askAll = async (session) => {
    while (performance.now() < until) {
      try {
        await ask(session);
        calls++;
      } catch {
        failures++;
        await pause(50);
      }
    }
  };
  const begun = performance.now();
  await Promise.all(sessions.map(askAll));
  return { rate: calls / ((performance.now() - begun) / 1000), failures };
}

// Alternating slices of load with few sessions and with all, so that other load on the machine affects both.
async function turns(few, all, ask, { rounds, seconds }) {
  await load(all, ask, 2 * seconds);
  const told = [];
  for (let round = 0; round < rounds; round++) {
    told.push([await load(few, ask, seconds), await load(all, ask, seconds)]);
  }
  const rates = (which) => median(told.map((slices) => slices[which].rate));
  return { few: rates(0), all: rates(1), failures: told.flat().reduce((sum, slice) => sum + slice.failures, 0) };
}

async function run(isOwn, slices) {
  const file = path.join(newFolder(), 'starts');
  const gateway = new Served('sessions', file, isOwn);
  try {
    await gateway.start();
    const all = [];
    while (all.length < MANY) {
      all.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => gateway.first()))));
    }
    const served = all.filter((one) => one.session);
    const refusals = all.filter((one) => one.refusal).map((one) => reasonOf(one.refusal));
    const before = starts(file);
    const ask = ({ session }) => gateway.asked(session, 'echo');
    const rates = await turns(served.slice(0, FEW), served, ask, slices);
    const more = starts(file) - before;
    const after = await Promise.all(served.map(({ session }) => gateway.asked(session, 'who')));
    const moved = after.filter((process, i) => process !== served[i].process).length;
    await Promise.all(served.map(({ session }) => session.close()));
    return { served: served.length, refusals, rates, more, moved };
  } finally {
    await gateway.stop();
  }
}

// The same number of processes without a gateway: the baseline of this machine.
async function direct(count, slices) {
  const all = [];
  while (all.length < count) {
    const opened = Array.from({ length: AT_ONCE }, () => new StdioSession([process.execPath, serverProgram]).open());
    all.push(...(await Promise.all(opened)));
  }
  const ask = (session) => session.request('tools/call', { name: 'echo', arguments: { message: 'm' } });
  try {
    return await turns(all.slice(0, FEW), all, ask, slices);
  } finally {
    await Promise.all(all.map((session) => session.close()));
  }
}

// All rejections name the number of slots and the configuration key.
const isReason = (refusal) => /all \d+ connections \(pool\.poolSize\)/.test(refusal);

function figures(how, { served, refusals, rates, more, moved }) {
  const share = rates.all / rates.few;
  const odd = refusals.filter((refusal) => !isReason(refusal)).length;
  return [
    [`${how}: processes started after the first calls of ${MANY} sessions`, more, 0, more === 0],
    [`${how}: sessions that have another process than at first`, moved, 0, moved === 0],
    [`${how}: sessions served of ${MANY}, at least`, served, LEAST_PLACES, served >= LEAST_PLACES],
    [`${how}: refused without the number of places and the key`, odd, 0, odd === 0],
    [`${how}: calls that failed after the first`, rates.failures, 0, rates.failures === 0],
    [`${how}: calls/s with ${FEW} of the sessions`, rates.few, '-', null],
    [`${how}: calls/s with all that are served, against those`, share, 2 / 3, share >= 2 / 3, 'x'],
  ];
}

export async function sessions(quick) {
  const slices = quick ? { rounds: 3, seconds: 2 } : { rounds: 7, seconds: 4 };
  const shared = await run(false, slices);
  const own = await run(true, slices);
  const bare = await direct(own.served, slices);
  const alone = [`as many processes without a gateway: calls/s with all, against ${FEW} of them`, bare.all / bare.few, '-', null, 'x'];
  return {
    figures: [...figures('shared', shared), ...figures('--no-prefix', own), alone],
    notes:
      `medians of ${slices.rounds} slices of ${slices.seconds} s each, in turns; with --no-prefix ${own.refusals.length} of ${MANY} sessions ` +
      `were refused: ${own.refusals[0] ?? '-'}; without a gateway ${FEW} processes answered ${bare.few.toFixed(0)} calls/s`,
  };
}
