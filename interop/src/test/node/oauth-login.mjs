// The official SDK as a client that logs in, in the shape of `./fusebox login NAME --no-browser`: prints the address of
// the authorization on a line of its own, reads the callback's address from standard input, and then prints one line of
// JSON with what it saw.
//
// The argument is the server's address. Environment: LOGIN_METADATA_URL, the address of a client id metadata document.
import { createInterface } from 'node:readline/promises';
import { auth, discoverOAuthServerInfo, refreshAuthorization } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const serverUrl = process.argv[2];
const redirectUrl = 'http://127.0.0.1:33418/callback';
const kept = {};

const provider = {
  redirectUrl,
  clientMetadataUrl: process.env.LOGIN_METADATA_URL,
  clientMetadata: {
    client_name: 'oauth-login',
    redirect_uris: [redirectUrl],
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  },
  state: () => 'state-of-the-login',
  clientInformation: () => kept.client,
  saveClientInformation: (client) => (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => (kept.tokens = tokens),
  saveCodeVerifier: (verifier) => (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
  redirectToAuthorization: (url) => console.log(url.href),
};

async function status(headers) {
  const answer = await fetch(serverUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  return { status: answer.status, challenge: answer.headers.get('WWW-Authenticate') };
}

async function call(name) {
  const client = new Client({ name: 'oauth-login', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(serverUrl), { authProvider: provider }));
  try {
    return (await client.callTool({ name })).content[0].text;
  } finally {
    await client.close();
  }
}

/** Refreshes with this token; the name of the error if that is refused. */
async function refreshed(refreshToken) {
  const { authorizationServerUrl, authorizationServerMetadata } = await discoverOAuthServerInfo(serverUrl);
  try {
    return await refreshAuthorization(authorizationServerUrl, {
      metadata: authorizationServerMetadata,
      clientInformation: kept.client,
      refreshToken,
      resource: new URL(serverUrl),
    });
  } catch (error) {
    return { refused: error.errorCode ?? String(error) };
  }
}

const seen = { before: await status({}) };
await auth(provider, { serverUrl });
const input = createInterface({ input: process.stdin });
const callback = new URL((await input[Symbol.asyncIterator]().next()).value);
input.close();
const { searchParams } = callback;
const refusal = searchParams.get('error');
if (refusal) {
  console.log(JSON.stringify({ ...seen, refused: refusal }));
  process.exit(1);
}
seen.issuer = searchParams.get('iss');
seen.sameState = searchParams.get('state') === provider.state();
await auth(provider, { serverUrl, authorizationCode: searchParams.get('code') });
seen.client = kept.client.client_id;
seen.called = JSON.parse(await call('whoami'));

const first = kept.tokens.refresh_token;
const second = await refreshed(first);
kept.tokens = { ...kept.tokens, ...second };
seen.rotated = second.refresh_token !== undefined && second.refresh_token !== first;
seen.calledAfterRefresh = JSON.parse(await call('whoami'));

seen.firstAgain = (await refreshed(first)).refused;
seen.secondAfterReuse = (await refreshed(second.refresh_token)).refused;
seen.after = await status({ Authorization: `Bearer ${second.access_token}` });
console.log(JSON.stringify(seen));
process.exit(0);
