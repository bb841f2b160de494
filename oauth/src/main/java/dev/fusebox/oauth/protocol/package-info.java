/// Messages of OAuth 2.1 between this client, MCP servers and authorization servers: discovery, client registration,
/// token requests and revocation.
package dev.fusebox.oauth.protocol;
