package dev.fusebox.http;

/// The methods that the server supports; any other gets status 501.
public enum HttpMethod {
    GET,
    HEAD,
    POST,
    DELETE,
    OPTIONS
}
