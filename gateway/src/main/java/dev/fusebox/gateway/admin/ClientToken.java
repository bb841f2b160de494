package dev.fusebox.gateway.admin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// The token of MCP clients over HTTP, where the gateway requires one. It permits no command of the admin API.
/// Blocks on file system access.
public final class ClientToken {
    private static final TokenFile FILE = new TokenFile("client.token");

    private ClientToken() {}

    /// Its file.
    public static Path file(RunFolder folder) {
        return folder.path().resolve(FILE.name());
    }

    /// Reads the token, or creates it if there is none.
    ///
    /// @param secrets a source of unguessable numbers
    /// @throws IOException if there is no usable token; the message has the cause and the remedy
    public static String of(RunFolder folder, RandomGenerator secrets) throws IOException {
        return FILE.of(folder, secrets);
    }

    /// The content of the file, for comparison only; empty if there is none.
    public static Optional<String> find(RunFolder folder) {
        Path file = file(folder);
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    ? Optional.of(Files.readString(file, StandardCharsets.UTF_8).strip())
                    : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
