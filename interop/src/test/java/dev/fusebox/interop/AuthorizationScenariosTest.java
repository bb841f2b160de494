package dev.fusebox.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Some of the conformance suite's scenarios about authorization, with Fusebox as the client; `conformance/client` runs
/// them all.
///
/// Over five seconds: each scenario starts the suite and two to seven commands.
@Tag("interop")
@Timeout(600)
class AuthorizationScenariosTest {
    private static final Duration LIMIT = Duration.ofMinutes(8);

    /// One for each way to register, to refuse, and to ask for more.
    private static final List<String> SCENARIOS = List.of(
            "auth/metadata-var3",
            "auth/basic-cimd",
            "auth/pre-registration",
            "auth/scope-step-up",
            "auth/iss-wrong-issuer",
            "auth/authorization-server-migration",
            "auth/client-credentials-jwt");

    @TempDir
    private Path folder;

    @Test
    void scenarios_about_authorization_pass() throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", script().toString()));
        command.addAll(SCENARIOS);
        ProcessBuilder program = new ProcessBuilder(command);
        program.environment().put("FUSEBOX_COMMAND", fusebox().toString());
        program.environment().put("OUTPUT", folder.resolve("reports").toString());
        Run.of(program, LIMIT).succeeds();
    }

    private static Path script() {
        return Suite.EXPECTED_FAILURES.resolveSibling("client");
    }

    /// A program in place of the launcher: the classes of this build.
    private Path fusebox() throws IOException {
        String words = JavaProgram.gateway().stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
        Path program = Files.createFile(
                folder.resolve("fusebox"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return Files.writeString(program, "#!/bin/sh\nexec " + words + " \"$@\"\n");
    }
}
