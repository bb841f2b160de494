// Figures from inside: the gateway's own parts in a process with the launcher's flags, where a frame is handed in and its
// answer taken out, with no pipe and no socket between.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { noOp } from '../contenders.mjs';
import { serverProgram } from './gateway.mjs';

const run = promisify(execFile);

export async function inside(words) {
  const [java, ...flags] = noOp('Inside', process.execPath, serverProgram, ...words.map(String));
  const { stdout } = await run(java, flags, { timeout: 180_000 });
  return JSON.parse(stdout);
}
