// In-process figures: parts of the gateway in a process with the launcher's flags, with frames passed directly, without
// pipe or socket.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { noOp } from '../contenders.mjs';
import { serverProgram } from './gateway.mjs';

const run = promisify(execFile);

export async function inside(words) {
  const [java, ...flags] = noOp('InProcessGateway', process.execPath, serverProgram, ...words.map(String));
  const { stdout } = await run(java, flags, { timeout: 180_000 });
  return JSON.parse(stdout);
}
