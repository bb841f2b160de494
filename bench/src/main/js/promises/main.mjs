// Measures the promises with the built application, prints each figure with its goal, and writes them to a file.
// Started by bench/promises.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isMissed, machine, rows } from '../figures.mjs';
import { root } from '../processes.mjs';
import { p13, p20 } from './changes.mjs';
import { p22 } from './clock.mjs';
import { p1, p17 } from './crowd.mjs';
import { p3, p5, p7, p8 } from './endings.mjs';
import { p11, p12, p18, p19 } from './lives.mjs';
import { p15 } from './mixups.mjs';
import { p9, p10 } from './pools.mjs';
import { p4, p6 } from './recovery.mjs';
import { p2 } from './refusals.mjs';
import { sessions } from './sessions.mjs';
import { p21 } from './remembering.mjs';
import { p27 } from './small-faults.mjs';
import { p14 } from './soak.mjs';
import { p23 } from './truth.mjs';

const ALL = { P1: p1, P2: p2, P3: p3, P4: p4, P5: p5, P6: p6, P7: p7, P8: p8, P9: p9, P10: p10, P11: p11, P12: p12, P13: p13, P15: p15, P17: p17, P18: p18, P19: p19, P20: p20, P21: p21, P22: p22, P23: p23, P27: p27, sessions };
// Only on request: it takes longer than all others together.
const LATER = { P14: p14 };
const SWITCHES = ['--quick', '--long'];
const words = process.argv.slice(2);
const quick = words.includes('--quick');
const chosen = words.filter((word) => !word.startsWith('--'));
const unknown = words.find((word) => !SWITCHES.includes(word) && !(word in ALL) && !(word in LATER));
if (unknown) {
  console.error(`usage: bench/promises [--quick|--long] [PROMISE ...]; there is no ${unknown}, only ${Object.keys({ ...ALL, ...LATER }).join(', ')}`);
  process.exit(2);
}

const told = {};
const file = path.join(root, 'bench/target/promises.json');
const named = Object.keys({ ...ALL, ...LATER }).filter((one) => chosen.includes(one));
for (const name of chosen.length === 0 ? Object.keys(ALL) : named) {
  const begun = performance.now();
  console.error(name);
  try {
    told[name] = await { ...ALL, ...LATER }[name](quick, words.includes('--long'));
  } catch (failure) {
    told[name] = { figures: [['it could be measured', failure.message, 'yes', false]], notes: failure.stack };
  }
  told[name].seconds = (performance.now() - begun) / 1000;
  told[name].load = os.loadavg()[0];
  fs.writeFileSync(file, JSON.stringify({ machine: machine(), quick, told }, null, 1));
  console.error(rows(name, told[name]).join('\n') + '\n    ' + told[name].notes);
}
console.log([machine() + (quick ? ' Short form.' : ''), '', '| | | measured | goal | |', '|---|---|---|---|---|'].join('\n'));
Object.entries(told).forEach(([name, one]) => console.log(rows(name, one).join('\n')));
console.log('');
Object.entries(told).forEach(([name, one]) => console.log(`- ${name}: ${one.notes} (${one.seconds.toFixed(0)} s)`));
console.error('written to ' + path.relative(root, file));
process.exit(Object.values(told).some(isMissed) ? 1 : 0);
