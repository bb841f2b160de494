// Processes of this machine as /proc shows them (Linux).
import fs from 'node:fs';
import { pause } from '../processes.mjs';

function read(pid, name) {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    // It has ended, or belongs to another user.
    return '';
  }
}

function state(pid) {
  const stat = read(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

// Whether a process runs. One that has ended and whose parent has not noticed does not; one whose first thread has ended
// does, because the others have its files open.
export const runs = (pid) => !['', 'Z', 'X'].includes(state(pid)[0]) || threads(pid) > 1;

function threads(pid) {
  try {
    return fs.readdirSync(`/proc/${pid}/task`).length;
  } catch {
    return 0;
  }
}

export const words = (pid) => read(pid, 'cmdline').split('\0');

const pids = () => fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number);

// The processes whose command line contains the text, except this one.
export const withText = (text) =>
  pids().filter((pid) => pid !== process.pid && read(pid, 'cmdline').includes(text) && runs(pid));

// The processes that have this entry in their environment, NAME=value.
export const withVariable = (entry) => pids().filter((pid) => ('\0' + read(pid, 'environ')).includes(`\0${entry}\0`) && runs(pid));

// Those of the processes whose parent is not one of them.
export const roots = (family) => family.filter((pid) => !family.includes(Number(state(pid)[1])));

export const children = (parent) => pids().filter((pid) => Number(state(pid)[1]) === parent && runs(pid));

// Megabytes of memory: proportional set size, in which a page that n processes map counts a n-th for each of them.
export const proportional = (pid) => kilobytes(pid, 'Pss') / 1024;

// Megabytes that no other process maps.
export const own = (pid) => (kilobytes(pid, 'Private_Clean') + kilobytes(pid, 'Private_Dirty')) / 1024;

const kilobytes = (pid, what) => Number(new RegExp(`^${what}: +(\\d+) kB`, 'm').exec(read(pid, 'smaps_rollup'))?.[1] ?? NaN);

export const sum = (values) => values.reduce((all, value) => all + value, 0);

// Waits until none of them is left; returns those that are.
export async function ended(find, limit = 20_000) {
  let left = find();
  for (const until = performance.now() + limit; left.length > 0 && performance.now() < until; left = find()) {
    await pause(50);
  }
  return left;
}
