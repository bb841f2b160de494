package dev.fusebox.http;

/// What comes before a body: request line and headers. Immutable.
record RequestHead(HttpMethod method, RequestTarget target, boolean isOfVersion10, HttpHeaders headers) {}
