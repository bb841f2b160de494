// Resource usage of a process, read from /proc.
import fs from 'node:fs';
import { execFileSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';

// Ticks of the times in /proc are hundredths of a second on every Linux that runs a JDK.
const TICK_MILLIS = 10;

// Milliseconds of processor time, those of children that it has waited for included if asked; NaN where there is no /proc.
export function processorMillis(pid, withChildren = false) {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ').map(Number);
    const [user, system, childUser, childSystem] = fields.slice(11, 15);
    return TICK_MILLIS * (user + system + (withChildren ? childUser + childSystem : 0));
  } catch {
    return NaN;
  }
}

// Milliseconds of processor time of the threads that run now, without the compilers: the progress of the JIT
// differs between runs, and the cost of a call does not.
export function workMillis(pid) {
  try {
    const tasks = `/proc/${pid}/task`;
    return fs.readdirSync(tasks).reduce((sum, task) => sum + threadMillis(`${tasks}/${task}`), 0);
  } catch {
    return NaN;
  }
}

function threadMillis(task) {
  try {
    const name = fs.readFileSync(task + '/comm', 'latin1');
    return /^C[12] Compiler/.test(name) ? 0 : Number(fs.readFileSync(task + '/schedstat', 'latin1').split(' ')[0]) / 1e6;
  } catch {
    // It has ended since it was listed.
    return 0;
  }
}

// Megabytes in memory, without the children.
export const residentMegabytes = (pid) => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024;

const SPIN = 'const until = performance.now() + 250; while (performance.now() < until);';

// The share of two processors that two busy threads get; the rest was used by other programs.
export async function shareOfProcessors() {
  const before = process.cpuUsage();
  const begun = performance.now();
  await Promise.all([0, 1].map(() => new Promise((ended) => new Worker(SPIN, { eval: true }).on('exit', ended))));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (2 * (performance.now() - begun));
}
