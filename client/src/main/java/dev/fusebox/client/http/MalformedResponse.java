package dev.fusebox.client.http;

import java.io.IOException;

/// What came over a line is not HTTP, or more of it than is let in.
final class MalformedResponse extends IOException {
    private static final long serialVersionUID = 1;

    MalformedResponse(String message) {
        super(message);
    }
}
