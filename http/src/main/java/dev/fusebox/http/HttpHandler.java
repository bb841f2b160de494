package dev.fusebox.http;

/// Answers requests. Called by many virtual threads at once, for one connection one after the other.
@FunctionalInterface
public interface HttpHandler {
    /// Answers one request, on the virtual thread that has read it; may block as long as the work takes.
    ///
    /// It has to end with [HttpReply#respond] or after [HttpReply#stream]; the stream may stay open and be used by
    /// others after the return. A handler that returns without either, or throws, is answered for with 500.
    void handle(HttpRequest request, HttpReply reply) throws InterruptedException;
}
