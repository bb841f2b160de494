// An authorization server made with oidc-provider: dynamic registration, client id metadata documents, PKCE, rotated
// refresh tokens with reuse detection, device flow, revocation, introspection, resource indicators. Its pages for login
// and consent are plain forms, which a test submits over HTTP.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Storage } from './oidc-storage.mjs';

/** The client of the protected server, for introspection. */
export const RESOURCE_SERVER = { client_id: 'resource-server', client_secret: 'resource-server-secret' };

// Its advice for real servers would stand between the lines of this program.
console.info = () => {};
console.warn = () => {};
const { default: Provider } = await import('oidc-provider');

function signingKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: randomUUID() };
}

/** What the server does, as options of oidc-provider. */
function configuration(options, storage) {
  return {
    adapter: (kind) => storage.of(kind),
    jwks: { keys: [signingKey()] },
    cookies: { keys: ['a key for the cookies of a test'] },
    clients: [
      { ...RESOURCE_SERVER, redirect_uris: [], response_types: [], grant_types: [] },
      ...options.clients,
    ],
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
    scopes: ['openid', 'offline_access', ...options.scopes],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    // Many hosted servers hand out refresh tokens without `offline_access`.
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    findAccount: async (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    fetch: async (url) => metadataDocument(options, String(url)),
    features: features(options),
    ttl: {
      AccessToken: options.accessTokenSeconds,
      ClientCredentials: options.accessTokenSeconds,
      AuthorizationCode: 60,
      DeviceCode: 600,
      Grant: 86_400,
      IdToken: 3600,
      Interaction: 600,
      RefreshToken: options.refreshTokenSeconds,
      Session: 86_400,
    },
  };
}

function features(options) {
  return {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    clientIdMetadataDocument: {
      enabled: Object.keys(options.metadataDocuments).length > 0,
      ack: 'draft-02',
    },
    deviceFlow: { enabled: options.deviceFlow },
    introspection: {
      enabled: true,
      allowedPolicy: async (_ctx, client) => client.clientId === RESOURCE_SERVER.client_id,
    },
    registration: { enabled: options.registration },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: async (_ctx, resource) => ({
        scope: options.scopes.join(' '),
        audience: resource,
        accessTokenFormat: options.format,
        ...(options.format === 'jwt' && { jwt: { sign: { alg: 'RS256' } } }),
      }),
      useGrantedResource: async () => true,
    },
  };
}

/** Client id metadata documents have https addresses, but no test opens a connection for them. */
function metadataDocument(options, url) {
  const document = options.metadataDocuments[url];
  return document === undefined ? new Response('', { status: 404 }) : Response.json(document);
}

const page = (title, form) =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1>${form}</body></html>`;

const loginPage = (uid) =>
  page(
    'Login',
    `<form method="post" action="/interaction/${uid}">
    <input type="text" name="username"><button type="submit">Log in</button></form>`,
  );

const consentPage = (uid) =>
  page(
    'Consent',
    `<form method="post" action="/interaction/${uid}">
    <button type="submit" name="decision" value="approve">Approve</button>
    <button type="submit" name="decision" value="deny">Deny</button></form>`,
  );

async function formOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

/** A grant of all that the prompt lacks. */
async function consent(provider, { prompt, params, session, grantId }) {
  const grant = grantId
    ? await provider.Grant.find(grantId)
    : new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  const { missingOIDCScope = [], missingResourceScopes = {} } = prompt.details;
  if (missingOIDCScope.length > 0) grant.addOIDCScope(missingOIDCScope.join(' '));
  for (const [resource, scopes] of Object.entries(missingResourceScopes)) {
    grant.addResourceScope(resource, scopes.join(' '));
  }
  return { consent: { grantId: await grant.save() } };
}

async function decision(provider, details, form) {
  if (details.prompt.name === 'login') return { login: { accountId: form.get('username') } };
  if (form.get('decision') === 'approve') return consent(provider, details);
  return { error: 'access_denied', error_description: 'the person said no' };
}

async function interact(provider, request, response) {
  const details = await provider.interactionDetails(request, response);
  if (request.method === 'POST') {
    const result = await decision(provider, details, await formOf(request));
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
    return;
  }
  const shown = details.prompt.name === 'login' ? loginPage : consentPage;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(shown(details.uid));
}

/** Keeps what the server did, without any token. */
function observe(provider, observed) {
  const grantOf = (ctx) => ctx.oidc.params?.grant_type;
  provider.on('registration_create.success', () => observed.push({ event: 'registered' }));
  provider.on('grant.success', (ctx) => observed.push({ event: 'granted', grant: grantOf(ctx) }));
  provider.on('grant.revoked', () => observed.push({ event: 'revoked' }));
  provider.on('grant.error', (ctx, { error }) => observed.push({ event: 'refused', grant: grantOf(ctx), error }));
  provider.on('server_error', (_ctx, error) => observed.push({ event: 'failed', error: String(error) }));
}

/**
 * Starts the server on a free port of this machine.
 *
 * @param options scopes, format of access tokens, their lifetimes; see `protected.mjs`
 */
export async function authorizationServer(options) {
  const observed = [];
  const storage = new Storage();
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  let provider;

  /** A server with another signing key, and the clients, grants and opaque tokens of the one before. */
  function changeKey() {
    provider = new Provider(issuer, configuration(options, storage));
    observe(provider, observed);
  }
  changeKey();

  const controls = {
    '/test/observed': () => observed,
    '/test/change-key': changeKey,
    '/test/revoke-all': () => storage.revokeAll(),
  };

  async function handle(request, response) {
    const control = controls[request.url];
    if (control) {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(control() ?? {}));
    } else if (request.url.startsWith('/interaction/')) {
      await interact(provider, request, response);
    } else {
      await provider.callback()(request, response);
    }
  }

  server.on('request', (request, response) => {
    handle(request, response).catch((error) => {
      observed.push({ event: 'failed', error: String(error) });
      response.statusCode = 500;
      response.end();
    });
  });
  return issuer;
}
