package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `serve` over HTTP at a port that another program has.
///
/// Over five seconds: two gateways start, one after the other.
@Tag("process")
@Timeout(120)
class PortConflictProcessTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void onLinux() {
        assumeTrue(System.getProperty("os.name", "").equals("Linux"), "sockets are seen on Linux only");
    }

    /// What it says before it exits.
    private String refusal(int port) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("empty.json"), "{\"mcpServers\":{}}");
        Process gateway = new ProcessBuilder(Launched.command(
                        "serve", "--transport", "http", "--port", String.valueOf(port), "--config", file.toString()))
                .start();
        try {
            assertThat(gateway.waitFor(60, TimeUnit.SECONDS)).isTrue();
            String said = new String(gateway.getErrorStream().readAllBytes(), UTF_8);
            assertThat(gateway.exitValue()).as(said).isEqualTo(1);
            return said;
        } finally {
            gateway.destroyForcibly();
        }
    }

    @Test
    void port_owner_is_reported_with_option_to_change() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(refusal(taken.getLocalPort()))
                    .contains("cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .contains("process " + ProcessHandle.current().pid() + " (")
                    .contains("choose another port with --port or http.port");
        }
    }

    @Test
    void running_fusebox_is_reported_as_port_owner() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder)) {
            assertThat(refusal(gateway.uri().getPort()))
                    .contains("the port is in use by a running Fusebox (process "
                            + gateway.process().pid() + ")");
        }
    }
}
