package dev.fusebox.http;

import java.io.IOException;
import java.nio.file.Files;

/// The two kinds of socket.
enum Transport {
    TCP,
    UNIX;

    HttpSettings settings() throws IOException {
        return switch (this) {
            case TCP -> HttpSettings.loopback(0);
            case UNIX -> HttpSettings.unix(Files.createTempDirectory("server").resolve("s"));
        };
    }
}
