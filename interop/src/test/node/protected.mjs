// An MCP server of the official SDK that wants an access token, behind it the authorization server that issues them.
//
// The argument is JSON with the members of DEFAULTS, all optional. Prints one line, `listening on {"server":
// "http://.../mcp", "issuer": "http://..."}`, and ends when its standard input ends. GET ISSUER/test/observed,
// /test/change-key and /test/revoke-all are for tests.
//
// Tools: `whoami` for the scope `mcp`, `read` for `files:read`, `write` for `files:write`.
import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import { createServer } from 'node:http';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { RESOURCE_SERVER, authorizationServer } from './authorization-server.mjs';

const DEFAULTS = {
  // Registered before, as oidc-provider describes clients.
  clients: [],
  // Client id metadata documents by their address.
  metadataDocuments: {},
  registration: true,
  deviceFlow: true,
  scopes: ['mcp', 'files:read', 'files:write'],
  // Of access tokens: `opaque`, checked by introspection, or `jwt`, checked by its signature.
  format: 'opaque',
  accessTokenSeconds: 600,
  refreshTokenSeconds: 86_400,
  // Of another authorization server; ours is then not started.
  issuer: undefined,
  port: 0,
};

const SCOPES = { whoami: ['mcp'], read: ['mcp', 'files:read'], write: ['mcp', 'files:write'] };

const options = { ...DEFAULTS, ...JSON.parse(process.argv[2] ?? '{}') };
const issuer = options.issuer ?? (await authorizationServer(options));
const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();

const described = (resource, claims) => ({
  clientId: claims.client_id ?? claims.azp,
  scopes: (claims.scope ?? '').split(' ').filter((scope) => scope !== ''),
  expiresAt: claims.exp,
  resource: [claims.aud].flat().includes(resource.href) ? resource : undefined,
  extra: { subject: claims.sub },
});

async function introspected(token) {
  const basic = Buffer.from(`${RESOURCE_SERVER.client_id}:${RESOURCE_SERVER.client_secret}`).toString('base64');
  const answer = await fetch(metadata.introspection_endpoint, {
    method: 'POST',
    headers: { Authorization: `Basic ${basic}` },
    body: new URLSearchParams({ token }),
  });
  const claims = await answer.json();
  if (!claims.active) throw new InvalidTokenError('the token is not active');
  return claims;
}

async function signed(token) {
  const [header, payload, signature] = token.split('.').map((part) => Buffer.from(part, 'base64url'));
  const { kid } = JSON.parse(header);
  const { keys } = await (await fetch(metadata.jwks_uri)).json();
  const key = keys.find((one) => one.kid === kid);
  const content = token.slice(0, token.lastIndexOf('.'));
  if (!key || !verify('sha256', Buffer.from(content), createPublicKey({ key, format: 'jwk' }), signature)) {
    throw new InvalidTokenError('no key of the issuer has signed the token');
  }
  return JSON.parse(payload);
}

const claimsOf = options.format === 'jwt' ? signed : introspected;

function mcpServer() {
  const server = new McpServer({ name: 'protected', version: '1' });
  for (const tool of Object.keys(SCOPES)) {
    server.registerTool(tool, { description: `Wants the scopes ${SCOPES[tool].join(' ')}.` }, ({ authInfo }) => ({
      content: [{ type: 'text', text: JSON.stringify(caller(authInfo)) }],
    }));
  }
  return server;
}

/** The fingerprint tells tokens apart without showing them. */
const caller = ({ token, clientId, scopes, extra }) => ({
  subject: extra.subject,
  client: clientId,
  scopes,
  token: createHash('sha256').update(token).digest('hex').slice(0, 16),
});

/** A session of the protocol, with a server of its own. */
async function session(sessions) {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  await mcpServer().connect(transport);
  return transport;
}

function application(resource) {
  const sessions = new Map();
  const app = createMcpExpressApp();
  app.use(mcpAuthMetadataRouter({ oauthMetadata: metadata, resourceServerUrl: resource, scopesSupported: ['mcp'] }));
  const verifier = { verifyAccessToken: async (token) => ({ token, ...described(resource, await claimsOf(token)) }) };
  const wanted = (requiredScopes) =>
    requireBearerAuth({
      verifier,
      requiredScopes,
      resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
      expectedResource: resource,
    });
  const ofTools = Object.fromEntries(Object.entries(SCOPES).map(([tool, scopes]) => [tool, wanted(scopes)]));
  const ofAll = wanted(['mcp']);
  app.all(
    '/mcp',
    (request, response, next) => (ofTools[request.body?.params?.name] ?? ofAll)(request, response, next),
    async (request, response) => {
      const known = request.headers['mcp-session-id'];
      const transport = known === undefined ? await session(sessions) : sessions.get(known);
      if (!transport) response.status(404).end();
      else await transport.handleRequest(request, response, request.body);
    },
  );
  return app;
}

const server = createServer();
await new Promise((resolve) => server.listen(options.port, '127.0.0.1', resolve));
const url = new URL(`http://127.0.0.1:${server.address().port}/mcp`);
server.on('request', application(url));
console.log(`listening on ${JSON.stringify({ server: url.href, issuer })}`);

process.stdin.resume().on('end', () => process.exit(0));
