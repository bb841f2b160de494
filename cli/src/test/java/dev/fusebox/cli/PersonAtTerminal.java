package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A person who runs `login NAME --no-browser` and opens the printed URL in a browser on the same machine, as a
/// separate process. Immutable.
///
/// @param variables added to the environment of the command
record PersonAtTerminal(Path configuration, Map<String, String> variables) {
    private static final int SECONDS = 60;

    /// What a command has printed, and the arguments that other users of the machine could see.
    record Printed(int exitCode, String text, String processArguments) {}

    /// Logs in, or fails the test.
    void logIn(String server) {
        Printed printed = run(server, PersonAtTerminal::visit);
        assertThat(printed.exitCode()).as(printed.text()).isZero();
    }

    /// @param browser opens the printed URL
    Printed run(String server, Consumer<URI> browser) {
        List<String> command = new ArrayList<>(Launched.command("login", server, "--config", configuration.toString()));
        command.add("--no-browser");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(variables);
        try {
            Process process = builder.start();
            try {
                String arguments = Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
                String text = converse(process, browser);
                assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).as(text).isTrue();
                return new Printed(process.exitValue(), text, arguments);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String converse(Process process, Consumer<URI> browser) throws IOException {
        StringBuilder text = new StringBuilder();
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                text.append(line).append('\n');
                if (line.startsWith("http")) {
                    browser.accept(URI.create(line));
                }
            }
        }
        return text.toString();
    }

    /// Follows the redirect of the authorization server to the callback, and gives the last page.
    static String visit(URI url) {
        try (InputStream page = url.toURL().openStream()) {
            return new String(page.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
