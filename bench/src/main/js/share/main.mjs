// Measures the shared gateway with the built application, prints each figure with its goal, and writes them to a file.
// Started by bench/share.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isMissed, machine, rows } from '../figures.mjs';
import { root } from '../processes.mjs';
import { cost } from './cost.mjs';
import { kills } from './kills.mjs';
import { memory } from './memory.mjs';
import { questions } from './questions.mjs';
import { tokens } from './tokens.mjs';
import { upgrades } from './upgrade.mjs';

const ALL = { memory, kills, upgrade: upgrades, tokens, questions, cost };
const words = process.argv.slice(2);
const quick = words.includes('--quick');
const chosen = words.filter((word) => word !== '--quick');
const unknown = chosen.find((word) => !(word in ALL));
if (unknown) {
  console.error(`usage: bench/share [--quick] [SECTION ...]; there is no ${unknown}, only ${Object.keys(ALL).join(', ')}`);
  process.exit(2);
}

const told = {};
const file = path.join(root, 'bench/target/share.json');
for (const name of Object.keys(ALL).filter((one) => chosen.length === 0 || chosen.includes(one))) {
  const begun = performance.now();
  console.error(name);
  try {
    told[name] = await ALL[name](quick);
  } catch (failure) {
    told[name] = { figures: [['it could be measured', failure.message, 'yes', false]], notes: failure.stack };
  }
  told[name].seconds = (performance.now() - begun) / 1000;
  told[name].load = os.loadavg()[0];
  fs.writeFileSync(file, JSON.stringify({ machine: machine(), quick, told }, null, 1));
}
console.log(machine() + (quick ? ' Short form.' : ''));
for (const [name, one] of Object.entries(told)) {
  console.log(['', '| | | measured | goal | |', '|---|---|---|---|---|', ...rows(name, one)].join('\n'));
  console.log(`\n${one.notes}. ${one.seconds.toFixed(0)} s; ${one.load.toFixed(1)} runnable processes.`);
}
console.error('written to ' + path.relative(root, file));
process.exit(Object.values(told).some(isMissed) ? 1 : 0);
