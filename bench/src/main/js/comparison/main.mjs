// Runs the probes against each gateway in turn, saves the results as JSON and writes the tables. Started by
// bench/comparison.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../processes.mjs';
import { subjects } from './subjects.mjs';
import { busy, patient } from './probes.mjs';
import { tables } from './tables.mjs';

const BEGIN = '<!-- comparison: begin (bench/comparison writes what is between these two lines) -->';
const END = '<!-- comparison: end -->';
// Many clients and gateways give up after 60 s.
const HANG = 70;
const raw = path.join(root, 'docs/comparison.json');
const document = path.join(root, 'docs/comparison.md');
const say = (text) => process.stderr.write(text + '\n');

function usage(why) {
  const names = subjects.map(({ name }) => JSON.stringify(name)).join(' ');
  console.error(`${why}\nusage: bench/comparison [--hang=SECONDS] [--print] [--probe=NAME] [GATEWAY ...]; gateways: ${names}`);
  process.exit(2);
}

function options(words) {
  const found = { hang: HANG * 1_000, chosen: [], print: false };
  for (const word of words) {
    const [, key, value] = /^--(\w+)(?:=(.*))?$/.exec(word) ?? [];
    if (key === 'hang' && value > 0) {
      found.hang = value * 1_000;
    } else if (key === 'print') {
      found.print = true;
    } else if (key === 'probe' && Object.hasOwn({ ...patient, ...busy }, value)) {
      found.probe = value;
    } else if (subjects.some(({ name }) => name === word)) {
      found.chosen.push(word);
    } else {
      usage('I do not know ' + word);
    }
  }
  return found;
}

// Error texts name files; the location of this checkout is removed.
const withoutPlaces = (seen) => JSON.parse(JSON.stringify(seen).replaceAll(root, '.'));

// A probe that cannot be run reports its reason, and the others continue.
async function run(probes, subject, plan, into) {
  for (const [name, probe] of Object.entries(probes)) {
    if (!plan.probe || plan.probe === name) {
      into[name] = withoutPlaces(await probe(subject, plan).catch((why) => ({ failed: why.message.split('\n')[0] })));
      say(`  ${name} ${plan.print || plan.probe ? JSON.stringify(into[name], null, 1) : ''}`);
    }
  }
}

async function compare(subject, plan) {
  const version = subject.version();
  say(`${subject.name} ${version ?? 'is not installed'}`);
  if (!version) {
    return { failed: 'not installed: the registry does not have it' };
  }
  const seen = Object.fromEntries(Object.keys({ ...patient, ...busy }).map((name) => [name, { failed: 'not run' }]));
  const atOnce = [...Object.entries(patient).map((one) => Object.fromEntries([one])), busy];
  await Promise.all(atOnce.map((probes) => run(probes, subject, plan, seen)));
  const failures = Object.values(seen).map(({ failed }) => failed);
  if (failures.every(Boolean)) {
    return { version, failed: failures[0] };
  }
  return { version, date: new Date().toISOString().slice(0, 10), node: process.versions.node, machine: machine(), seen };
}

function machine() {
  return `${os.type()} ${os.arch()}, ${os.availableParallelism()} processors`;
}

const plan = options(process.argv.slice(2));

// The document as it is now, before and after the tables.
function around() {
  const text = fs.readFileSync(document, 'utf8');
  if (!text.includes(BEGIN) || text.indexOf(END) < text.indexOf(BEGIN)) {
    console.error(`${document} lacks the lines between which the tables go: ${BEGIN} and ${END}`);
    process.exit(1);
  }
  return [text.slice(0, text.indexOf(BEGIN) + BEGIN.length), text.slice(text.indexOf(END))];
}

around();
const results = fs.existsSync(raw) ? JSON.parse(fs.readFileSync(raw, 'utf8')) : {};

// After each gateway, so that nothing is lost if a later one takes too long.
function write() {
  fs.writeFileSync(raw, JSON.stringify(results, null, 1) + '\n');
  const ordered = subjects.map(({ name, many, oneClient }) => ({ name, many, oneClient, ...results[name] }));
  const [head, tail] = around();
  fs.writeFileSync(document, head + '\n' + tables(ordered) + '\n' + tail);
}

for (const subject of subjects) {
  if (plan.chosen.length === 0 || plan.chosen.includes(subject.name)) {
    results[subject.name] = await compare(subject, plan);
    plan.print || plan.probe || write();
  }
}
process.exit(0);
