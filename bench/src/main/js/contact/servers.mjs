// The servers that are contacted, as bench/servers.json names them: what starts each, and how often it was started.
// Tests use another file, whose servers may have a "command" instead of a "package", and a folder of packages.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from '../contenders.mjs';
import { root } from '../processes.mjs';

const packages = process.env.FUSEBOX_CONTACT_PACKAGES ?? join(root, 'bench/target/servers/node_modules');
const file = process.env.FUSEBOX_CONTACT_SERVERS ?? join(root, 'bench/servers.json');
const { servers } = JSON.parse(readFileSync(file, 'utf8'));

// An empty folder for one round.
export function roundFolder(name) {
  const folder = join(scratch, `contact-${process.pid}-${name}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

// The file that a package of npm starts.
function program(name) {
  const { bin } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));
  return join(packages, name, typeof bin === 'string' ? bin : Object.values(bin)[0]);
}

// The configuration of all of them. Each start appends the name of the server to a file of the round.
export function configuration(folder, only) {
  const starts = join(folder, 'starts');
  writeFileSync(starts, '');
  const chosen = Object.entries(servers).filter(([name]) => !only.length || only.includes(name));
  const named = chosen.map(([name, { package: from, command, args = [], env = {} }]) => {
    const words = args.map((word) => word.replaceAll('{folder}', folder));
    const noting = `echo ${name} >> '${starts}'; exec "$@"`;
    const variables = Object.entries(env).map(([key, value]) => [key, value.replaceAll('{folder}', folder)]);
    const started = command ?? [process.execPath, program(from)];
    const whole = ['-c', noting, 'sh', ...started, ...words];
    return [name, { command: 'sh', args: whole, env: Object.fromEntries(variables) }];
  });
  // Whole lists are compared, and on a slow machine a client that starts these servers itself takes ten seconds.
  return { mcpServers: Object.fromEntries(named), discovery: { firstListWaitMs: 60_000 } };
}

// The permitted starts of a server at first contact: two for a server that exits on server/discover or does not answer it.
export const mostStarts = (name) => (servers[name].answersDiscover === false ? 2 : 1);

// The number of starts of each in this round.
export function starts(folder) {
  const counts = {};
  for (const name of readFileSync(join(folder, 'starts'), 'utf8').split('\n').filter(Boolean)) {
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

export function forgetStarts(folder) {
  writeFileSync(join(folder, 'starts'), '');
}
