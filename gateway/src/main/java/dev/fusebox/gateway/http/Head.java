package dev.fusebox.gateway.http;

/// What comes before a body: request line and headers. Immutable.
record Head(HttpMethod method, Target target, boolean isOfVersion10, Headers headers) {}
