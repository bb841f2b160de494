package dev.fusebox.http;

/// The methods that the front understands; a request with any other is answered 501.
public enum HttpMethod {
    GET,
    HEAD,
    POST,
    DELETE,
    OPTIONS
}
