package dev.fusebox.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/// The command `version`: which Fusebox this is, on which Java.
final class Version {
    private Version() {}

    static Exit run(List<String> arguments, Screen screen) {
        try {
            Words words = Words.parse(new Words.Grammar("version", Set.of("--json"), Set.of()), arguments);
            if (!words.names().isEmpty()) {
                throw Words.unknown("version", words.names().getFirst());
            }
            screen.out()
                    .println(
                            words.has("--json")
                                    ? "{\"fusebox\":\"" + ofFusebox() + "\",\"java\":\"" + Runtime.version() + "\"}"
                                    : "fusebox " + ofFusebox() + " (Java " + Runtime.version() + ")");
            return Exit.DONE;
        } catch (ServeOptions.Problem problem) {
            screen.err().println("fusebox: " + problem.getMessage());
            return Exit.USAGE;
        }
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
