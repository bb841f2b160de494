package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonView;
import java.util.Optional;

/// Finds values in messages; one that is not there fails the test.
final class Found {
    private Found() {}

    static JsonView at(JsonView message, String... path) {
        return Optional.ofNullable(message.path(path))
                .orElseThrow(() -> new AssertionError("no " + String.join(".", path) + " in " + message));
    }

    static String textAt(JsonView message, String... path) {
        return Optional.ofNullable(at(message, path).string())
                .orElseThrow(() -> new AssertionError("no text at " + String.join(".", path) + " in " + message));
    }

    static long errorCode(JsonView answer) {
        return Long.parseLong(at(answer, "error", "code").json());
    }
}
