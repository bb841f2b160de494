package dev.fusebox.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the lookup of the process that listens on a port.
class PortOwnerTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "0.0.0.0"})
    void process_that_listens_on_a_port_is_found(String address) throws IOException {
        assumeTrue(
                System.getProperty("os.name", "").equals("Linux"), "skipped: socket owners are visible on Linux only");
        try (var listening = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            // The search ends after half a second, which a busy machine may use up.
            Optional<PortOwner> owner = Stream.generate(() -> PortOwner.of(listening.getLocalPort()))
                    .limit(5)
                    .flatMap(Optional::stream)
                    .findFirst();
            assertThat(owner).hasValueSatisfying(found -> {
                assertThat(found.pid()).isEqualTo(ProcessHandle.current().pid());
                assertThat(found.command()).isNotEmpty();
            });
        }
    }

    @Test
    void free_port_has_no_owner() throws IOException {
        int free;
        try (var listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = listening.getLocalPort();
        }
        assertThat(PortOwner.of(free)).isEmpty();
    }
}
