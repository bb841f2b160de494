// P15: servers that answer twice, late, and with unknown ids, and clients that use the same ids.
import { HttpSession } from '../sessions.mjs';
import { small, withGateway } from './gateway.mjs';

const CALLERS = 64;
const SERVERS = 8;

// One caller: each response must match its request, for every server.
async function caller(session, number, calls, tally) {
  for (let i = 0; i < calls; i++) {
    const nonce = `caller ${number} call ${i}`;
    const given = { nonce, ms: i % 50 === 0 ? 5 : 0 };
    // Some responses arrive after the timeout of their calls.
    const isLate = i % 500 === 499;
    const name = isLate ? 'slow__noise' : `n${1 + ((number + i) % SERVERS)}__noise`;
    try {
      const result = await session.request('tools/call', { name, arguments: isLate ? { nonce, ms: 400 } : given });
      const text = result.content[0].text;
      const fault = result._meta?.['fusebox/error'];
      tally.calls++;
      if (isLate ? fault?.code !== 'timeout' : text !== nonce) {
        fault ? tally.failed++ : tally.mixed++;
        tally.first ??= `${nonce}: ${text}`;
      }
    } catch (failure) {
      tally.failed++;
      tally.first ??= failure.message;
    }
  }
}

export async function p15(quick, long) {
  const calls = quick ? 10_000 : long ? 1_000_000 : 100_000;
  const noisy = Object.fromEntries(Array.from({ length: SERVERS }, (_, i) => ['n' + (i + 1), small()]));
  const slow = small({}, { timeoutMs: 250, toolBreaker: { enabled: false } });
  return withGateway('P15', { mcpServers: { ...noisy, slow } }, async (gateway) => {
    const sessions = await Promise.all(
      Array.from({ length: CALLERS }, (_, i) => (i % 2 === 0 ? gateway.session() : new HttpSession(gateway.url).open())),
    );
    const tally = { calls: 0, mixed: 0, failed: 0 };
    const begun = performance.now();
    await Promise.all(sessions.map((session, i) => caller(session, i, Math.ceil(calls / CALLERS), tally)));
    const rate = (1000 * tally.calls) / (performance.now() - begun);
    await Promise.all(sessions.map((session) => session.close()));
    return {
      figures: [
        [`answers of ${tally.calls} that were another call's`, tally.mixed, 0, tally.mixed === 0],
        ['calls that failed', tally.failed, 0, tally.failed === 0],
      ],
      notes: `${CALLERS} callers of both eras, each counting its ids from 1, through ${SERVERS + 1} servers; with each answer come three that are wrong, and a late one; ${rate.toFixed(0)} calls/s${tally.first ? '; first: ' + tally.first : ''}`,
      tally,
    };
  });
}
