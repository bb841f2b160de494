// Three servers that ask, each in its own way, and three clients at once. Each client has other roots and answers with its
// name, and each question names the call it belongs to.
import fs from 'node:fs';
import path from 'node:path';
import { Home, scripted, withHome } from './home.mjs';

const QUICK = 100;
const FULL = 10_000;
const CLIENTS = 3;
const KINDS = ['sampling', 'elicitation', 'roots'];
const CAPABILITIES = { sampling: {}, elicitation: {}, roots: {} };
// In every tenth round the servers ask after they have answered.
const LATE = 10;
// By then each client has met each server, and may have lost a call at each.
const SETTLED = 3 * KINDS.length;

// The key of the call that a question names. The gateway puts the name of the server before texts for people.
function keyOf({ method, params }) {
  switch (method) {
    case 'sampling/createMessage':
      return params.messages[0].content.text.split(' ').at(-1);
    case 'elicitation/create':
      return params.message.split(' ').at(-1);
    default:
      return params?._meta?.['bench/key'];
  }
}

function answerTo({ method }, name) {
  switch (method) {
    case 'sampling/createMessage':
      return { role: 'assistant', content: { type: 'text', text: name }, model: 'none' };
    case 'elicitation/create':
      return { action: 'accept', content: { name } };
    default:
      return { roots: [{ uri: 'file:///' + name, name }] };
  }
}

class Asked {
  constructor(home, i) {
    Object.assign(this, { name: 'client' + i, questions: 0, unnamed: 0, foreign: [], outside: 0, inFlight: new Set(), lost: [] });
    this.client = home.client({ capabilities: CAPABILITIES, answer: (request) => this.answer(request) });
  }

  answer(request) {
    const key = keyOf(request);
    this.questions++;
    if (key === undefined) {
      this.unnamed++;
    } else if (!key.startsWith(this.name + '/')) {
      this.foreign.push(`${this.name} was asked for ${key}`);
    } else if (!this.inFlight.has(key) && !key.endsWith('late')) {
      this.outside++;
    }
    return answerTo(request, this.name);
  }

  async call(round, server, tool) {
    const key = `${this.name}/${round}-${tool}`;
    this.inFlight.add(key);
    const { text, isError, broken } = await this.client.call(`${server}__${tool}`, { key });
    this.inFlight.delete(key);
    const isOwn = tool === 'late' ? text === key : text.includes(`"${this.name}"`);
    if (isError || !isOwn) {
      this.lost.push({ round, server, text: broken ?? text });
    }
  }
}

export async function questions(quick) {
  const rounds = quick ? QUICK : FULL;
  const servers = (folder) => Object.fromEntries(KINDS.map((kind) => [kind, scripted(folder, { ASKS: kind })]));
  const home = new Home(servers);
  return withHome(home, async () => {
    const all = Array.from({ length: CLIENTS }, (_, i) => new Asked(home, i));
    await Promise.all(all.map((one) => one.client.open()));
    for (let round = 0; round < rounds; round++) {
      const tool = round % LATE === LATE - 1 ? 'late' : 'ask';
      // All at one server, or each at another one.
      const step = round % 2;
      await Promise.all(all.map((one, i) => one.call(round, KINDS[(round + i * step) % KINDS.length], tool)));
    }
    return report(home, all, rounds);
  });
}

function report(home, all, rounds) {
  const foreign = all.flatMap((one) => one.foreign);
  const lost = all.flatMap((one) => one.lost.map((call) => ({ client: one.name, ...call })));
  const mixed = lost.filter(({ client, text }) => /client\d/.test(text) && !text.includes(client));
  const perServer = all.flatMap((one) => KINDS.map((kind) => one.lost.filter(({ server }) => server === kind).length));
  const later = lost.filter(({ round }) => round >= SETTLED);
  const starts = fs.readFileSync(path.join(home.folder, 'starts'), 'utf8').split('\n').filter(Boolean);
  const ofKind = KINDS.map((kind) => starts.filter((line) => line.startsWith(kind)).length);
  const asked = all.reduce((sum, one) => sum + one.questions, 0);
  const unnamed = all.reduce((sum, one) => sum + one.unnamed, 0);
  const outside = all.reduce((sum, one) => sum + one.outside, 0);
  const most = Math.max(...perServer);
  // One that all share at first, and one for each client.
  const processes = 1 + CLIENTS;
  return {
    figures: [
      ['rounds', rounds, 'none', null],
      ['questions that reached a client', asked, 'none', null],
      ['questions that reached a client whose call they did not belong to', foreign.length, 0, foreign.length === 0],
      ['questions during no call of their client', outside, 0, outside === 0],
      ['calls answered with the answer of another client', mixed.length, 0, mixed.length === 0],
      ['calls without an answer of their client, at most for one client at one server', most, 1, most <= 1],
      [`the same after the first ${SETTLED} rounds, all clients`, later.length, 0, later.length === 0],
      ['starts of a server, at most', Math.max(...ofKind), processes, Math.max(...ofKind) <= processes],
    ],
    notes: `starts: ${KINDS.map((kind, i) => `${kind} ${ofKind[i]}`).join(', ')}; ${unnamed} questions named no call`
      + `${lost.length ? '; first without an answer: ' + JSON.stringify(lost[0]) : ''}${later.length ? '; later: ' + JSON.stringify(later[0]) : ''}`
      + `${foreign.length ? '; ' + foreign[0] : ''}`,
  };
}
