// The probes. Each has its own gateway, injects one fault, and returns its observations as plain data. Every wait has a
// limit.
import { pause } from '../processes.mjs';
import { Trial } from './trial.mjs';

// The time limit for the recovery of a failed server: the longest documented fixed cooldown is 30 s.
const BACK = 45_000;
const SICK_CALL = 20_000;
const TRIES = { sessions: 3, pace: 30, millis: 3_000, faultAt: 1_000, limit: 5_000 };

async function within(subject, probe, work) {
  const trial = new Trial(subject, probe);
  try {
    await trial.start();
    const seen = await work(trial);
    return { ...seen, left: await trial.stop() };
  } catch (failure) {
    await trial.stop();
    throw failure;
  }
}

const brief = ({ how, text, millis }) => ({ how, text, millis: Math.round(millis) });

// Calls once a second until there is a response: in the same session, if there is one, and in a new one each time.
async function untilBack(trial, client) {
  const begun = performance.now();
  const back = {};
  let waited = 0;
  const note = (session, ending) => {
    if (ending.how === 'answer') {
      back[session] ??= Math.round(performance.now() - begun - (session === 'fresh' ? waited : 0));
    }
    return ending;
  };
  const ask = async () => client && note('same', await trial.echo(client));
  const askAnew = () => trial.session().then(async (fresh) => note('fresh', await trial.echo(fresh)));
  const first = await ask();
  // A new session does not wait for pending calls of the old one.
  waited = performance.now() - begun;
  while (performance.now() - begun < BACK && ((client && back.same === undefined) || back.fresh === undefined)) {
    if (back.fresh === undefined) {
      await askAnew().catch(() => {});
    }
    await pause(1_000);
    if (client && back.same === undefined) {
      await ask();
    }
  }
  return { first: first && brief(first), same: back.same ?? null, fresh: back.fresh ?? null, limit: BACK };
}

// 1, 2: a server crashes during a call.
const crash = (subject) =>
  within(subject, 'crash', async (trial) => {
    const client = await trial.session();
    await trial.echo(client);
    const call = await trial.ask(client, trial.sick, 'crash', {}, { limit: SICK_CALL });
    const back = await untilBack(trial, client);
    return { call: brief(call), ran: trial.sick.journal.calls('crash'), back };
  });

// A call in a session that is opened for it.
async function anew(trial) {
  if (trial.only) {
    return null;
  }
  const begun = performance.now();
  try {
    return brief(await trial.echo(await trial.session()));
  } catch (why) {
    return brief({ how: 'no session', text: why.message, millis: performance.now() - begun });
  }
}

// 3, 4: a call is never answered; the server answers others (hang), or stops responding altogether (freeze).
const silence = (tool) => (subject, { hang }) =>
  within(subject, tool, async (trial) => {
    const client = await trial.session();
    await trial.echo(client);
    const silent = trial.ask(client, trial.sick, tool, {}, { limit: hang });
    await pause(500);
    const next = await trial.echo(client, trial.sick, hang);
    const fresh = await anew(trial);
    const call = await silent;
    const back = await untilBack(trial, client);
    const ran = trial.sick.journal.calls(tool);
    const heard = trial.sick.journal.cancelled();
    return { call: brief(call), ran, heard, next: brief(next), fresh, back, limit: hang };
  });

// Many concurrent calls of several sessions, and their outcomes.
async function watch(trial, server) {
  const sessions = await Promise.all(Array.from({ length: TRIES.sessions }, () => trial.session()));
  await Promise.all(sessions.map((session) => trial.echo(session, server)));
  return async () => {
    const until = performance.now() + TRIES.millis;
    const endings = [];
    const work = async (session) => {
      while (performance.now() < until) {
        const ending = await trial.echo(session, server, TRIES.limit);
        endings.push(ending);
        await pause(Math.max(0, TRIES.pace - ending.millis));
      }
    };
    await Promise.all(sessions.map(work));
    return summary(endings);
  };
}

function summary(endings) {
  const answered = endings.filter((ending) => ending.how === 'answer').map((ending) => ending.millis).sort((a, b) => a - b);
  const failed = endings.filter((ending) => ending.how !== 'answer');
  return {
    calls: endings.length,
    unanswered: failed.filter((ending) => ending.how === 'nothing').length,
    failed: failed.filter((ending) => ending.how !== 'nothing').length,
    p99: answered.length > 0 ? answered[Math.min(answered.length - 1, Math.floor(0.99 * answered.length))] : null,
    why: failed[0] && brief(failed[0]),
  };
}

// 5, 6: the effect on other sessions while one call hangs or freezes the server.
const others = (tool) => (subject) =>
  within(subject, 'others-' + tool, async (trial) => {
    const guilty = await trial.session();
    await trial.echo(guilty);
    const sameServer = await watch(trial, trial.sick);
    const otherServer = trial.calm && (await watch(trial, trial.calm));
    const fault = pause(TRIES.faultAt).then(() => tool !== 'echo' && trial.ask(guilty, trial.sick, tool, {}, { limit: 100 }));
    const [same, other] = await Promise.all([sameServer(), otherServer?.(), fault]);
    return { same, other };
  });

// 7: two sessions have a call in flight under the same id, and one of them cancels it; then it cancels ids that it never used.
const cancel = (subject) =>
  within(subject, 'cancel', async (trial) => {
    if (trial.only) {
      return { applies: false };
    }
    const [victim, other] = [await trial.session(), await trial.session()];
    const slow = (client, id) =>
      trial.ask(client, trial.sick, 'slow', { ms: 1_500, message: 'slow' }, { id, expect: 'Echo: slow', limit: 6_000 });
    const cancelAs = (client, id) => client.notify('notifications/cancelled', { requestId: id, reason: 'probe' });
    const both = [slow(victim, 7777), slow(other, 7777)];
    await pause(500);
    await cancelAs(other, 7777);
    const [innocent, own] = await Promise.all(both);
    const heard = trial.sick.journal.cancelled();
    const alone = slow(victim, 17);
    await pause(300);
    for (let id = 0; id <= 40; id++) {
      await cancelAs(other, id);
    }
    const strange = await alone;
    const heardStrange = trial.sick.journal.cancelled() - heard;
    return { innocent: brief(innocent), own: brief(own), heard, strange: brief(strange), heardStrange };
  });

// 8: the work is done, and the response is lost with the process.
const lost = (tool) => (subject) =>
  within(subject, 'lost-' + tool, async (trial) => {
    const client = await trial.session();
    await trial.echo(client);
    const call = await trial.ask(client, trial.sick, tool, { token: 'parcel' }, { limit: SICK_CALL });
    await pause(3_000);
    return { call: brief(call), ran: trial.sick.journal.calls(tool) };
  });

// 9: a line on standard output that is not a message.
const line = (subject) =>
  within(subject, 'line', async (trial) => {
    const client = await trial.session();
    const call = await trial.ask(client, trial.sick, 'chatter', { message: 'hello' }, { expect: 'Echo: hello' });
    return { call: brief(call), next: brief(await trial.echo(client)) };
  });

// 10: an argument that the schema of the tool does not allow.
const argument = (subject) =>
  within(subject, 'argument', async (trial) => {
    const client = await trial.session();
    const call = await trial.ask(client, trial.sick, 'exact', { n: 'many' });
    return { call: brief(call), ran: trial.sick.journal.calls('exact'), next: brief(await trial.echo(client)) };
  });

// 11: the server exits 300 ms after each start; several calls, one after the other.
const down = (subject) =>
  within(subject, 'down', async (trial) => {
    const client = await trial.session();
    await trial.echo(client);
    const starts = trial.sick.journal.starts();
    trial.sick.goDown();
    await trial.ask(client, trial.sick, 'crash', {}, { limit: 5_000 });
    const calls = [];
    for (let i = 0; i < 12; i++) {
      calls.push(brief(await trial.echo(client)));
    }
    const restarts = trial.sick.journal.starts() - starts;
    trial.sick.comeBack();
    return { calls, restarts, back: await untilBack(trial, client) };
  });

// 12: the server exits at its start when the gateway starts, and is healthy ten seconds later.
async function start(subject) {
  const trial = new Trial(subject, 'start');
  trial.sick.goDown();
  const seen = {};
  let client;
  try {
    await trial.start(trial.servers.slice(1));
    client = await trial.session();
    seen.sick = brief(await trial.echo(client));
    seen.calm = trial.calm && brief(await trial.echo(client, trial.calm));
  } catch (why) {
    seen.refused = why.message.split('\n')[0];
  }
  if (!trial.ended) {
    await pause(10_000);
    trial.sick.comeBack();
    seen.back = await untilBack(trial, client);
  }
  return { ...seen, left: await trial.stop() };
}

// Probes that mostly wait run concurrently with the others, which run one after the other.
export const patient = { crash, hang: silence('hang'), freeze: silence('freeze') };
export const busy = {
  quiet: others('echo'),
  othersHang: others('hang'),
  othersFreeze: others('freeze'),
  othersCrash: others('crash'),
  cancel,
  lost: lost('lose'),
  lostReading: lost('look'),
  line,
  argument,
  down,
  start,
};
