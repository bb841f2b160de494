package dev.fusebox.gateway.admin;

import java.io.IOException;
import java.util.random.RandomGenerator;

/// The token that permits changes over TCP. Blocks on file system access. Without it nothing can be changed over TCP.
public final class AdminToken {
    private static final TokenFile FILE = new TokenFile("admin.token");

    private AdminToken() {}

    /// Reads the token, or creates it if there is none.
    ///
    /// @param secrets a source of unguessable numbers
    /// @throws IOException if there is no usable token; the message has the cause and the remedy
    public static String of(RunFolder folder, RandomGenerator secrets) throws IOException {
        return FILE.of(folder, secrets);
    }
}
