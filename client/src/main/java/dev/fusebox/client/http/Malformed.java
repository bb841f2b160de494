package dev.fusebox.client.http;

import java.io.IOException;

/// What came over a line is not HTTP, or more of it than is let in.
final class Malformed extends IOException {
    private static final long serialVersionUID = 1;

    Malformed(String message) {
        super(message);
    }
}
