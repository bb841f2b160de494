// Processes of a benchmark: starting them, waiting until they are ready, ending them by their process ids. All of bench uses
// these functions.
import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';

export const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../../../..');

// The command that starts the application. Tests name one that they have compiled, as a JSON array of words, or a launcher.
export const launch = process.env.FUSEBOX_LAUNCH
  ? JSON.parse(process.env.FUSEBOX_LAUNCH)
  : [process.env.FUSEBOX_BENCH_LAUNCHER ?? path.join(root, 'fusebox')];

export const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

// Waits until a condition is true; returns the elapsed milliseconds.
export async function until(condition, limit = 30_000, interval = 5) {
  const begun = performance.now();
  while (!(await condition())) {
    if (performance.now() - begun > limit) {
      throw new Error(`the condition did not hold within ${limit} ms: ${condition}`);
    }
    await pause(interval);
  }
  return performance.now() - begun;
}

// Processes that are killed when this one ends.
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => process.exit(1));
}

// Starts a program. The options are those of spawn; without `stdio` its input and output are pipes, and its errors are
// discarded. `gone` resolves to the exit code or signal when it has ended, or to the reason why it did not start. Its
// output may still be open then, since its own children may have inherited it.
export function startProcess([program, ...words], options = {}) {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'], ...options });
  running.add(child);
  child.stdin?.on('error', () => {});
  child.gone = new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code));
    child.on('error', (why) => resolve(why.message));
  });
  child.gone.then(() => running.delete(child));
  return child;
}

// Waits for a text in what a process writes to its output and errors; returns the match. Fails when the process ends first.
export function output(child, pattern) {
  let text = '';
  return new Promise((resolve, reject) => {
    const read = (bytes) => {
      text += bytes;
      const match = pattern.exec(text);
      if (match) {
        resolve(match);
      }
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.gone.then((why) => reject(new Error(`the process ended with ${why}: ${text.slice(-300)}`)));
  });
}

// Ends a process that this program has started, by closing its input or by a signal, and kills it after the limit.
export async function endProcess(child, { signal, limit = 8_000 } = {}) {
  if (!child?.pid) {
    return;
  }
  signal ? child.kill(signal) : child.stdin.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), limit);
  await child.gone;
  clearTimeout(timer);
}

// Whether a process exists, by its id (Linux).
export const isAlive = (pid) => fs.existsSync(`/proc/${pid}`);
