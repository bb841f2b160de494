/// Servers over HTTP, and the one way out to them. `Outbound` carries requests over lines of its own; `HttpConnection`
/// speaks the protocol over it.
@org.jspecify.annotations.NullMarked
package dev.fusebox.client.http;
