package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.demo.DemoNarrator;
import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where the gateway of the demo listens, and what remains if it cannot.
class DemoGatewayTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    private final DemoNarrator narrator = new DemoNarrator(out, out, false, false);

    private static Set<Long> children() {
        return ProcessHandle.current().children().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    private DemoGateway open(int port, Path count) throws IOException {
        CommandOutput output = new CommandOutput(out, out, false);
        return DemoGateway.open(new DemoGateway.Opening(Platform.system(), output, port, count), narrator);
    }

    @Test
    void port_in_use_is_named_and_another_one_taken() throws IOException, InterruptedException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            DemoGateway gateway = open(taken.getLocalPort(), Files.createFile(folder.resolve("count")));
            try {
                assertThat(gateway.address()).doesNotContain(":" + taken.getLocalPort() + "/");
                assertThat(printed.toString(StandardCharsets.UTF_8).replaceAll("\\s+", " "))
                        .contains("Port " + taken.getLocalPort() + " is in use by")
                        .contains("the demo listens on a free port instead.");
            } finally {
                gateway.close();
            }
        }
    }

    @Test
    void a_gateway_that_cannot_listen_is_closed_and_leaves_no_process_and_no_file() throws Exception {
        Set<Long> processes = children();
        Path count = Files.createFile(folder.resolve("count"));
        assertThatThrownBy(() -> open(70_000, count)).isInstanceOf(RuntimeException.class);
        eventually("no other process is running", () -> assertThat(processes).containsAll(children()));
        assertThat(count).doesNotExist();
    }
}
