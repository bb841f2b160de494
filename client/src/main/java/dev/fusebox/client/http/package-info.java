/// HTTP transports to MCP servers. [dev.fusebox.client.http.OutboundHttpClient] sends the requests;
/// `StreamableHttpConnection` and `SseWire` implement the protocol over it.
@org.jspecify.annotations.NullMarked
package dev.fusebox.client.http;
