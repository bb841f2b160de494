package dev.fusebox.http;

/// A request handler. Called by many virtual threads concurrently; for one connection, by one at a time.
@FunctionalInterface
public interface HttpHandler {
    /// Handles one request on the virtual thread that has read it; may block as long as the work takes.
    ///
    /// It must call [HttpReply#respond] or [HttpReply#stream]; the stream may stay open and be used by other
    /// threads after the return. If a handler returns without either, or throws, the server responds with 500.
    void handle(HttpRequest request, HttpReply reply) throws InterruptedException;
}
