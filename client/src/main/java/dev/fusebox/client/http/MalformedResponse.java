package dev.fusebox.client.http;

import java.io.IOException;

/// A response that is not valid HTTP, or exceeds a limit.
final class MalformedResponse extends IOException {
    private static final long serialVersionUID = 1;

    MalformedResponse(String message) {
        super(message);
    }
}
