// Formatter of the results as Markdown tables: one for each kind of fault, one row for each gateway.
const TEXT = 70;
const WORKS = ['session recovers after', 'new session works after'];

const time = (millis) => (millis < 1_000 ? `${Math.round(millis)} ms` : `${(millis / 1_000).toFixed(1)} s`);
const seconds = (millis) => `${millis / 1_000} s`;

// Escapes text so that it neither ends a table cell nor becomes a link.
function quoted(text) {
  const line = text.replace(/[\s`|]+/g, ' ').trim();
  return '`' + (line.length > TEXT ? line.slice(0, TEXT) + '…' : line) + '`';
}

const KINDS = { answer: 'answer', 'wrong answer': 'a wrong answer', 'tool error': '`isError`' };

// The outcome and time of a call.
function ending(one, limit = 5_000) {
  if (!one) {
    return 'one client only';
  }
  if (one.how === 'nothing') {
    return `no response within ${seconds(limit)}`;
  }
  const words = one.how === 'answer' || !one.text ? '' : ' ' + quoted(one.text);
  return `${KINDS[one.how] ?? one.how}, ${time(one.millis)}${words}`;
}

function whenBack(millis, limit) {
  if (millis === undefined) {
    return 'no session';
  }
  return millis === null ? `not within ${seconds(limit)}` : time(millis);
}

const backCells = ({ same, fresh, limit }, oneClient) => [
  whenBack(same, limit),
  oneClient ? 'one client only' : whenBack(fresh, limit),
];

const atOnce = (summary) => {
  if (!summary) {
    return 'one server only';
  }
  const { calls, failed, unanswered, p99 } = summary;
  const bad = [failed && `${failed} failed`, unanswered && `${unanswered} unanswered`].filter(Boolean);
  return `${calls} calls${bad.map((one) => ', ' + one).join('')}, p99 ${p99 === null ? 'none' : time(p99)}`;
};

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

// A failed probe shows its reason in its row.
function table(subjects, head, probes, cells) {
  const row = (subject) => {
    const seen = probes.map((probe) => subject.seen[probe] ?? { failed: 'not run' });
    const failed = seen.find((one) => one.failed);
    const words = failed ? [quoted(failed.failed), ...head.slice(1).map(() => '')] : cells(...seen, subject);
    return `| ${[subject.name, ...words].join(' | ')} |`;
  };
  return ['', `| | ${head.join(' | ')} |`, `|---${'|---'.repeat(head.length)}|`, ...subjects.map(row)];
}

function died(subjects) {
  const head = ['the caller gets', 'tool ran', 'next call', ...WORKS];
  return [
    '',
    '## 1, 2: a server dies during a call',
    ...table(subjects, head, ['crash'], ({ call, ran, back }, { oneClient }) => [
      ending(call, 20_000),
      ran,
      ending(back.first),
      ...backCells(back, oneClient),
    ]),
  ];
}

function silent(subjects) {
  const nextCalls = ['next call, same session', 'call of a new session'];
  const hung = ['hung call ends', 'tool ran', 'server notified', ...nextCalls];
  const frozen = ['first call ends', ...nextCalls, ...WORKS, 'processes left'];
  return [
    '',
    '## 3, 4: a tool never answers, other requests to its server do',
    ...table(subjects, hung, ['hang'], ({ call, ran, heard, next, fresh, limit }) => [
      ending(call, limit),
      ran,
      heard > 0 ? 'yes' : 'no',
      ending(next, limit),
      ending(fresh),
    ]),
    '',
    '## 3, 4: the whole server freezes during a call',
    ...table(subjects, frozen, ['freeze'], ({ call, next, fresh, back, limit, left }, { oneClient }) => [
      ending(call, limit),
      ending(next, limit),
      ending(fresh),
      ...backCells(back, oneClient),
      left,
    ]),
  ];
}

function others(subjects) {
  const head = ['no fault', 'a tool hangs', 'the server freezes', 'the server dies'];
  const probes = ['quiet', 'othersHang', 'othersFreeze', 'othersCrash'];
  return [
    '',
    '## 5: concurrent calls to another server',
    ...table(subjects, head, probes, (...seen) => seen.slice(0, 4).map(({ other }) => atOnce(other))),
    '',
    '## 6: concurrent calls of other sessions to the same server',
    ...table(subjects, head, probes, (...seen) => seen.slice(0, 4).map(({ same }) => atOnce(same))),
  ];
}

function cancelled(subjects) {
  const head = ["the other session's call", 'the cancelled call', 'server notified', 'a call, while others cancel ids 0 to 40'];
  return [
    '',
    '## 7: cancellation by another session with the same request id',
    ...table(subjects, head, ['cancel'], ({ applies, innocent, own, heard, strange }) =>
      applies === false
        ? ['one client only', '', '', '']
        : [ending(innocent, 6_000), ending(own, 6_000), heard > 0 ? 'yes' : 'no', ending(strange, 6_000)],
    ),
  ];
}

function executed(subjects) {
  const lost = ['the caller gets', 'tool ran', 'with `readOnlyHint` the caller gets', 'tool ran'];
  return [
    '',
    '## 8: the call is executed, the response is lost',
    ...table(subjects, lost, ['lost', 'lostReading'], (plain, reading) => [
      ending(plain.call, 20_000),
      plain.ran,
      ending(reading.call, 20_000),
      reading.ran,
    ]),
    '',
    '## 9: a line that is not JSON on standard output, before the response',
    ...table(subjects, ['the call', 'next call'], ['line'], ({ call, next }) => [ending(call, 20_000), ending(next)]),
    '',
    '## 10: an argument that the schema forbids',
    ...table(subjects, ['the caller gets', 'tool ran', 'next call'], ['argument'], ({ call, ran, next }) => [
      ending(call, 20_000),
      ran,
      ending(next),
    ]),
  ];
}

function downAndUp(subjects) {
  const head = ['calls 1 to 5', 'calls 6 to 12', 'last call', 'server starts', ...WORKS];
  const start = ['call to it', 'call to another server', ...WORKS];
  const usual = (calls) => 'median ' + time(median(calls.map(({ millis }) => millis)));
  return [
    '',
    '## 11: a server that dies 300 ms after each start',
    ...table(subjects, head, ['down'], ({ calls, restarts, back }, { oneClient }) => [
      usual(calls.slice(0, 5)),
      usual(calls.slice(5)),
      ending(calls.at(-1)),
      restarts,
      ...backCells(back, oneClient),
    ]),
    '',
    '## 12: the server is already failing when the gateway starts',
    ...table(subjects, start, ['start'], ({ refused, sick, calm, back }, { oneClient, many }) => [
      refused ? 'no session: ' + quoted(refused) : ending(sick),
      many ? ending(calm) : 'one server only',
      ...(back ? backCells(refused ? { ...back, same: undefined } : back, oneClient) : ['the gateway has ended', '']),
    ]),
  ];
}

function versions(subjects) {
  const rows = subjects.map(({ name, version, many, oneClient, date, node, machine }) => {
    const behind = many ? 'several' : 'one';
    return `| ${name} | ${version} | ${behind} | ${oneClient ? 'one' : 'several'} | ${date} | ${machine}, Node ${node} |`;
  });
  return ['| | version | servers | clients | measured | on |', '|---|---|---|---|---|---|', ...rows];
}

export function tables(all) {
  const measured = all.filter(({ seen }) => seen);
  const missing = all.filter(({ seen, failed }) => !seen && failed);
  return [
    ...versions(measured),
    ...[died, silent, others, cancelled, executed, downAndUp].flatMap((part) => part(measured)),
    '',
    ...missing.map(({ name, failed }) => `Not measured: ${name}. ${quoted(failed)}`),
  ].join('\n');
}
