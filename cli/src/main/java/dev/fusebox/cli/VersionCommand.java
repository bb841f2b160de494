package dev.fusebox.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/// The command `version`, which prints the versions of Fusebox and Java.
final class VersionCommand {
    private VersionCommand() {}

    static ExitStatus run(List<String> arguments, CommandOutput output) {
        try {
            CommandArguments commandArguments = CommandArguments.parse(
                    new CommandArguments.Grammar("version", Set.of("--json"), Set.of()), arguments);
            if (!commandArguments.names().isEmpty()) {
                throw CommandArguments.unknown(
                        "version", commandArguments.names().getFirst());
            }
            output.out()
                    .println(
                            commandArguments.has("--json")
                                    ? "{\"fusebox\":\"" + ofFusebox() + "\",\"java\":\"" + Runtime.version() + "\"}"
                                    : "fusebox " + ofFusebox() + " (Java " + Runtime.version() + ")");
            return ExitStatus.DONE;
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        }
    }

    /// The version in the root POM, which the build writes to a resource.
    static String ofFusebox() {
        try (InputStream text = VersionCommand.class.getResourceAsStream("version.txt")) {
            if (text == null) {
                throw new IllegalStateException("version.txt is missing beside " + VersionCommand.class);
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("version.txt cannot be read", e);
        }
    }
}
