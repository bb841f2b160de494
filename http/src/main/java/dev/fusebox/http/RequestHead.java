package dev.fusebox.http;

/// Request line and headers of a request. Immutable.
record RequestHead(HttpMethod method, RequestTarget target, boolean isOfVersion10, HttpHeaders headers) {}
