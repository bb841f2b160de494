package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients in containers that use the same home folder as a client outside.
///
/// Over five seconds: each test starts two gateways and two connectors.
@Tag("process")
@Timeout(120)
class ContainerSharingTest {
    private static final List<String> UNSHARE = List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child");

    @TempDir
    private Path folder;

    @BeforeEach
    void requireNamespaces() {
        List<String> command =
                Stream.concat(UNSHARE.stream(), Stream.of("true")).toList();
        assumeTrue(Tried.succeeds(command), "skipped: this user may not create PID namespaces (unshare --pid)");
    }

    private static List<String> container(String command) {
        return Stream.concat(UNSHARE.stream(), Stream.of("sh", "-c", command, "sh"))
                .toList();
    }

    private long sockets() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("run"))) {
            return files.filter(file -> file.getFileName().toString().matches("shared-.*\\.sock"))
                    .count();
        }
    }

    @Test
    void first_process_of_a_container_has_a_gateway_of_its_own() throws IOException {
        try (SharedHome home = new SharedHome(folder).server("s", "").save()) {
            assertThat(home.client("outside").hello("{}").call("s__echo", "a")).isEqualTo("a");
            SharedClient inside =
                    home.startingWith(container("exec \"$@\"")).client("inside").hello("{}");
            assertThat(inside.call("s__echo", "b")).isEqualTo("b");
            assertThat(Disk.read(inside.errors()))
                    .contains("not sharing a gateway, because this is the first process of a container");
            assertThat(sockets()).isEqualTo(1);
        }
    }

    @Test
    void client_in_a_container_does_not_share_a_gateway_outside() throws IOException {
        try (SharedHome home = new SharedHome(folder).server("s", "").save()) {
            assertThat(home.client("outside").hello("{}").call("s__echo", "a")).isEqualTo("a");
            SharedClient inside = home.startingWith(container("\"$@\"; exit"))
                    .client("inside")
                    .hello("{}");
            assertThat(inside.call("s__echo", "b")).isEqualTo("b");
            assertThat(sockets()).isEqualTo(2);
        }
    }
}
