/// Logins to MCP servers, as the gateway and its commands use them: the authorization of requests, and login flows.
package dev.fusebox.oauth;
