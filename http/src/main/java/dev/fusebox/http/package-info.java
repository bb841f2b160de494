/// A small and strict HTTP/1.1 server over TCP and Unix sockets. It knows nothing of MCP.
///
/// [dev.fusebox.http.HttpServer] listens, reads whole requests and gives each to a
/// [dev.fusebox.http.HttpHandler]. What is not exactly as the standard wants it is refused and its
/// connection closed. A client that leaves is noticed while its request is being worked on.
package dev.fusebox.http;
