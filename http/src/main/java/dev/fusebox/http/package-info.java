/// A small and strict HTTP/1.1 server over TCP and Unix sockets. It knows nothing of MCP.
///
/// [dev.fusebox.http.HttpServer] listens, reads complete requests and passes each to a
/// [dev.fusebox.http.HttpHandler]. A request that violates the standard is rejected and its connection closed. A
/// disconnect of the client is detected while its request is being handled.
package dev.fusebox.http;
