/// Addresses and headers of HTTP requests, as values that can be checked without a connection. Pure.
package dev.fusebox.protocol.http;
