// Fusebox as the client of the conformance suite's scenarios about authorization, driven as a person would: calls a
// tool, and runs each login that an error names, until the call succeeds or no login is named.
//
// The last argument is the address of the suite's server. The suite sets MCP_CONFORMANCE_SCENARIO and, with the
// credentials of a client that is registered already, MCP_CONFORMANCE_CONTEXT. FUSEBOX_COMMAND is the program to drive,
// DRIVER_LIMIT_MS the time for all of it, which should be less than the suite's own limit.
//
// Exit code 0 if the call succeeded in the end. The suite accepts another one where the client has to give up:
// - resource-mismatch, metadata-issuer-mismatch: no authorization URL may be opened, so a login has to fail before it
//   prints one.
// - iss-supported-missing, iss-wrong-issuer, iss-unexpected, iss-normalized: the callback has to be refused before a
//   token is requested. The login fails after it has read the callback.
// - scope-retry-limit: the server never has enough scopes. At most three authorization requests are allowed, and
//   Fusebox has to stop by itself: the driver's own limit of rounds is higher.
//
// In all others the call has to succeed:
// - scope-step-up: listing tools needs `mcp:basic`, the call also `mcp:write`. The second login has to ask for both,
//   although the challenge names only the new one.
// - authorization-server-migration: accepts one request with the token of the first authorization server, then names
//   another one. The next failure has to name a login again, which registers with the new server.
// - pre-registration, client-credentials-*: the client is in the context, not registered by Fusebox. Logins with client
//   credentials need no person, so the first call may succeed.
// - basic-cimd: the metadata document that every configuration here names is the client id. Nothing can fetch it.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SERVER = 'test';
const TOOL = 'test-tool';
// The only address that the suite knows as one of a client id metadata document.
const CLIENT_METADATA_URL = 'https://conformance-test.local/client-metadata.json';
const SECRET_VARIABLE = 'CONFORMANCE_CLIENT_SECRET';
const MAX_ROUNDS = 10;
const LIMIT_MS = Number(process.env.DRIVER_LIMIT_MS ?? 60_000);

const serverUrl = process.argv.at(-1);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const fusebox = process.env.FUSEBOX_COMMAND;

const home = mkdtempSync(join(tmpdir(), 'fusebox-conformance-'));
const configuration = join(home, 'config.json');
const environment = { ...process.env, FUSEBOX_HOME: home, [SECRET_VARIABLE]: context.client_secret ?? '' };

function oauth() {
  const keys = { clientMetadataUrl: CLIENT_METADATA_URL };
  if (context.client_id) keys.clientId = context.client_id;
  if (context.client_secret) keys.clientSecret = `\${${SECRET_VARIABLE}}`;
  if (context.private_key_pem) {
    keys.privateKey = join(home, 'client.pem');
    writeFileSync(keys.privateKey, context.private_key_pem, { mode: 0o600 });
  }
  if (scenario.startsWith('auth/client-credentials-')) keys.grant = 'client_credentials';
  return keys;
}

function say(text) {
  process.stderr.write(`driver: ${text}\n`);
}

/** What a browser would have in its address bar at the end; undefined if the page is no redirect. */
async function callbackOf(authorizationUrl) {
  const answer = await fetch(authorizationUrl, { redirect: 'manual' });
  await answer.body?.cancel();
  say(`authorization answered ${answer.status}`);
  return answer.headers.get('Location') ?? undefined;
}

let running;

/** Runs a command to its end. A line that is a URL is opened, and its callback given to the command. */
async function run(...words) {
  say(`fusebox ${words.join(' ')}`);
  // A process group of its own, so that nothing of it is left after the limit.
  const child = spawn(fusebox, [...words, '--config', configuration], {
    env: environment,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running = child;
  let out = '';
  let err = '';
  // It may end before it has read the callback.
  child.stdin.on('error', () => {});
  child.stderr.on('data', (data) => (err += data));
  createInterface({ input: child.stdout }).on('line', async (line) => {
    out += `${line}\n`;
    if (/^https?:\/\/\S+$/.test(line)) {
      const callback = await callbackOf(line).catch((error) => say(`authorization failed: ${error}`));
      child.stdin.end(callback === undefined ? '' : `${callback}\n`);
    }
  });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  running = undefined;
  say(`exit ${code}\n${out}${err}`);
  return { succeeded: code === 0, text: out + err };
}

/** The scopes of the login that an output names, such as `./fusebox login test --scope "a b"`, as arguments. */
function namedLogin(text) {
  // In JSON, quotes and ends of lines have backslashes.
  const plain = text.replaceAll('\\"', '"').replaceAll('\\n', '\n');
  const named = plain.match(/\blogin test\b([^`\n]*)/);
  if (!named) return undefined;
  const scopes = [...named[1].matchAll(/--scope[ =](?:"([^"]*)"|'([^']*)'|([^\s"',;)]+))/g)];
  return scopes.flatMap(([, double, single, bare]) => ['--scope', double ?? single ?? bare.replace(/\.$/, '')]);
}

async function calls() {
  let result = await run('call', SERVER, TOOL, '{}', '--json');
  for (let round = 0; !result.succeeded && round < MAX_ROUNDS; round++) {
    const scopes = namedLogin(result.text);
    if (!scopes) return false;
    result = await run('login', SERVER, '--no-browser', ...scopes);
    if (result.succeeded) result = await run('call', SERVER, TOOL, '{}', '--json');
  }
  return result.succeeded;
}

function end(code) {
  if (running) process.kill(-running.pid, 'SIGKILL');
  rmSync(home, { recursive: true, force: true });
  process.exit(code);
}

setTimeout(() => {
  say(`not done after ${LIMIT_MS} ms`);
  end(3);
}, LIMIT_MS);
process.on('SIGTERM', () => end(143));

writeFileSync(configuration, JSON.stringify({ mcpServers: { [SERVER]: { url: serverUrl, oauth: oauth() } } }));
end((await calls()) ? 0 : 1);
