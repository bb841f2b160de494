// The time from the start of a program to its response to initialize: servers alone, and behind Fusebox.
import { configOf, echoCommand, responder, serveOverStdio } from './contenders.mjs';
import { StdioSession } from './sessions.mjs';

async function once(command) {
  const begun = performance.now();
  const session = new StdioSession(command);
  await session.connect();
  await session.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } });
  const millis = performance.now() - begun;
  await session.close();
  return millis;
}

// name -> milliseconds of each start
export async function startTimes(times) {
  const shell = ['/bin/sh', responder];
  const commands = new Map([
    ['sh', shell],
    ['Fusebox, sh', serveOverStdio(configOf('sh', shell))],
    ['echo', echoCommand],
    ['Fusebox, echo', serveOverStdio(configOf('echo', echoCommand))],
  ]);
  const millis = new Map([...commands.keys()].map((name) => [name, []]));
  for (let i = 0; i <= times; i++) {
    for (const [name, command] of commands) {
      const taken = await once(command);
      // The first start reads files that are cached for the later ones.
      if (i > 0) {
        millis.get(name).push(taken);
      }
    }
  }
  return millis;
}
