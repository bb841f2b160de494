package dev.fusebox.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The command `version`: which Fusebox this is, on which Java.
final class Version {
    private Version() {}

    static Exit run(List<String> arguments, Screen screen) {
        if (arguments.isEmpty()) {
            screen.out().println("fusebox " + ofFusebox() + " (Java " + Runtime.version() + ")");
            return Exit.DONE;
        }
        if (arguments.equals(List.of("--json"))) {
            screen.out().println("{\"fusebox\":\"" + ofFusebox() + "\",\"java\":\"" + Runtime.version() + "\"}");
            return Exit.DONE;
        }
        String found = String.join(" ", arguments);
        screen.err().println("fusebox: " + Words.unknown("version", found).getMessage());
        return Exit.USAGE;
    }

    /// The version that the build wrote into the application, as in the root pom.
    static String ofFusebox() {
        try (InputStream text = Version.class.getResourceAsStream("version.txt")) {
            if (text == null) {
                throw new IllegalStateException("version.txt is missing beside " + Version.class);
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("version.txt cannot be read", e);
        }
    }
}
