// SIGKILL of the shared gateway, again and again, under the calls of five clients of both eras.
import { pause, until } from '../processes.mjs';
import { median } from '../load.mjs';
import { Client } from './client.mjs';
import { Home, scripted, withHome } from './home.mjs';
import { bothEras, ERAS, executions, faultsOf, isAnswered, isGood, isUnknown, Load } from './load.mjs';
import { runs } from './proc.mjs';

const QUICK = 10;
const FULL = 200;
const ANSWER_GOAL = 1000;
const NEXT_GOAL = 1000;
// Milliseconds between the recovery of all clients and the next kill.
const LEAST_PAUSE = 300;
const MORE_PAUSE = 500;
const RECOVERY_LIMIT = 30_000;

// The time in which a server alone starts and lists its tools: the median of some starts.
async function ownStart(folder) {
  const millis = [];
  for (let i = 0; i < 7; i++) {
    const { command, args } = scripted(folder);
    const server = await new Client([command, ...args]).open();
    await server.result('tools/list', {});
    millis.push(performance.now() - server.begun);
    await server.close();
  }
  return median(millis);
}

// The time in which a gateway of one client starts and its first call is answered, for comparison.
async function ownGateway(home) {
  const millis = [];
  for (let i = 0; i < 3; i++) {
    const client = await home.client({ share: 'off' }).open();
    await client.call('old__who', { key: 'none' });
    millis.push(performance.now() - client.begun);
    await client.close();
  }
  return median(millis);
}

// Kills the gateway, and waits until each client has an answer to all calls up to the first one that it sent later. Otherwise
// the next kill could hit them.
async function kill(home, load) {
  const pid = await home.gateway();
  const killedAt = performance.now();
  process.kill(pid, 'SIGKILL');
  await until(() => !runs(pid), RECOVERY_LIMIT, 1);
  const goneAt = performance.now();
  const hasAnswers = (calls) => {
    const first = calls.findIndex((call) => call.sentAt > goneAt);
    return first >= 0 && calls.slice(0, first + 1).every(isAnswered);
  };
  await until(() => load.calls.every(hasAnswers), RECOVERY_LIMIT);
  return { killedAt, goneAt };
}

// What the clients saw of one kill. A call that was sent while the gateway died was lost with it or is the first one for
// the next gateway.
function seen({ killedAt, goneAt }, load) {
  const isLost = (call) => isUnknown(call) && call.sentAt < goneAt && call.answeredAt > killedAt;
  const hit = load.all().filter((call) => (call.sentAt < killedAt && !(call.answeredAt < killedAt)) || isLost(call));
  const next = load.calls.map((calls) => calls.find((call) => call.sentAt > killedAt && !isLost(call)));
  return {
    answers: hit.map((call) => call.answeredAt - Math.max(killedAt, call.sentAt)),
    next: next.map((call) => ({ isGood: isGood(call), millis: call.answeredAt - call.sentAt })),
  };
}

// Calls that were told `unknown` although no dying gateway can have had them.
const unsent = (calls, kills) =>
  calls.filter((call) => isUnknown(call) && !kills.some(({ goneAt, killedAt }) => call.sentAt < goneAt && call.answeredAt > killedAt));

async function measure(home, times) {
  const own = await ownStart(home.folder);
  const alone = await ownGateway(home);
  const clients = await Promise.all(ERAS.map((era) => home.client({ era }).open()));
  const load = new Load(clients);
  await until(() => load.calls.every((calls) => calls.some(isGood)), RECOVERY_LIMIT);
  const kills = [];
  let stuck = '';
  while (kills.length < times && !stuck) {
    await pause(LEAST_PAUSE + Math.random() * MORE_PAUSE);
    await kill(home, load).then((one) => kills.push(one), (why) => (stuck = `after kill ${kills.length + 1}: ${why.message}`));
  }
  const restarted = clients.filter((client) => client.hasEnded).length;
  await load.end();
  return { own, alone, kills, stuck, restarted, calls: load.all(), each: kills.map((one) => seen(one, load)) };
}

export async function kills(quick) {
  const times = quick ? QUICK : FULL;
  const home = new Home(bothEras);
  return withHome(home, async () => {
    const { own, alone, kills: done, stuck, restarted, calls, each } = await measure(home, times);
    const { twice, wrong } = faultsOf(calls, executions(home.folder));
    const unknown = calls.filter(isUnknown);
    const others = calls.filter((call) => !isGood(call) && !isUnknown(call));
    const answers = each.flatMap((one) => one.answers);
    const next = each.flatMap((one) => one.next);
    const beyond = next.map(({ millis }) => millis - own);
    const failed = next.filter((one) => !one.isGood).length;
    const [slowest, latest] = [Math.max(...answers), Math.max(...beyond)];
    const late = unsent(calls, done).length;
    return {
      figures: [
        ['kills', done.length, times, done.length === times],
        ['calls in flight at a kill: answered after, at most', slowest, ANSWER_GOAL, slowest <= ANSWER_GOAL, 'ms'],
        ['the same, median', median(answers), 'none', null, 'ms'],
        ['first call of each client after a kill: failed', failed, 0, failed === 0],
        ['the same: time beyond the start of its server, at most', latest, NEXT_GOAL, latest <= NEXT_GOAL, 'ms'],
        ['the same, median', median(beyond), 'none', null, 'ms'],
        [`calls of ${calls.length} told \`unknown\``, unknown.length, 'none', null],
        ['calls told `unknown` that were sent to no gateway that was killed', late, 0, late === 0],
        ['calls that ended otherwise', others.length, 0, others.length === 0],
        ['calls executed twice', twice, 0, twice === 0],
        ['calls whose answer contradicts the journal', wrong, 0, wrong === 0],
        ['clients restarted', restarted, 0, restarted === 0],
      ],
      notes: `a server alone starts in ${own.toFixed(0)} ms, and a gateway of one client answers its first call after`
        + ` ${alone.toFixed(0)} ms; ${beyond.filter((millis) => millis > NEXT_GOAL).length} of ${next.length} first calls took longer`
        + ` than the goal${stuck && '; ' + stuck}${others.length ? '; another end: ' + JSON.stringify(others[0]) : ''}`,
    };
  });
}
