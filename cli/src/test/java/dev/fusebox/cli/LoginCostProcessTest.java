package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What logins cost a gateway that uses none: no class of them is loaded but one interface.
///
/// Over five seconds: each command is a JVM.
@Tag("process")
@Timeout(120)
class LoginCostProcessTest {
    private static final String CLASSES = "dev.fusebox.oauth.";

    /// The interface through which the gateway hears of logins.
    private static final String LISTENER = "dev.fusebox.oauth.LoginListener";

    @TempDir
    private Path folder;

    /// The classes that a call has loaded.
    ///
    /// @param keys of the server, beside its address
    private String loaded(ProtectedServer server, String keys) throws IOException, InterruptedException {
        Path log = folder.resolve("classes.log");
        Path config = Files.writeString(
                folder.resolve("config.json"),
                "{\"mcpServers\": {\"jira\": {\"url\": \"" + server.uri() + "\"" + keys + "}}}");
        List<String> command = Launched.with(
                List.of("-Xlog:class+load:file=" + log),
                "call",
                "jira",
                "echo",
                "{\"text\": \"hi\"}",
                "--config",
                config.toString());
        ProcessBuilder program = new ProcessBuilder(command).redirectErrorStream(true);
        program.environment().put("FUSEBOX_HOME", folder.resolve("home").toString());
        Process process = program.redirectOutput(folder.resolve("out").toFile()).start();
        process.waitFor();
        return Files.readString(log);
    }

    @Test
    void server_with_own_credentials_loads_no_class_of_logins() throws Exception {
        try (AuthorizationServer authorization = AuthorizationServer.start();
                ProtectedServer server = ProtectedServer.start(authorization)) {
            String without = loaded(server, ", \"headers\": {\"Authorization\": \"Bearer none\"}");
            assertThat(without).contains("dev.fusebox.gateway.ServerLogins");
            assertThat(without.lines().filter(line -> line.contains(CLASSES) && !line.contains(LISTENER)))
                    .isEmpty();
            assertThat(loaded(server, "")).contains(CLASSES);
        }
    }
}
