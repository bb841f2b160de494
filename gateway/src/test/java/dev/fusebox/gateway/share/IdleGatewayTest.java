package dev.fusebox.gateway.share;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.ManualTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The end of a shared gateway that does not stay after its last client (`share.idleMs` 0).
@Timeout(30)
class IdleGatewayTest {
    @TempDir
    Path home;

    private final ManualTime time = new ManualTime();
    private final AtomicInteger ends = new AtomicInteger();

    private ShareServer server;
    private ShareAddress address;

    @AfterEach
    void close() throws InterruptedException {
        server.close(Duration.ZERO, () -> 0, () -> {});
    }

    @BeforeEach
    void open() throws IOException {
        Platform platform = time.platform().withEnvironment(Map.of("FUSEBOX_HOME", home.toString()));
        address = ShareAddress.of(platform, Files.writeString(home.resolve("config.json"), "{}"), false);
        server = opened(platform);
    }

    private ShareServer opened(Platform platform) throws IOException {
        ShareServer.Limits limits = new ShareServer.Limits(() -> Duration.ZERO, Duration.ZERO, Duration.ofSeconds(1));
        return ShareServer.open(
                platform, address, new ShareServer.Options(new NoClients(), "1", limits, ends::incrementAndGet));
    }

    /// For clients that are refused.
    private static final class NoClients implements SharedServices {
        @Override
        public List<String> variables() {
            return List.of();
        }

        @Override
        public Lease open(ClientPlace place) throws Unservable {
            throw new Unservable("there is nothing to serve");
        }
    }

    /// The connection of a client, which the gateway has welcomed.
    private GatewayLink greeted() throws IOException {
        GatewayLink client =
                Objects.requireNonNull(GatewayLink.connect(server.address().socket()));
        Hello hello = new Hello(Release.current("1"), address.name(), home.toString(), null, null, null);
        client.write((new String(hello.bytes(), StandardCharsets.UTF_8) + "\n").getBytes(StandardCharsets.UTF_8));
        assertThat(client.readLine()).isNotNull();
        return client;
    }

    @Test
    void gateway_waits_for_the_client_that_has_started_it() throws Exception {
        time.advance(Duration.ofSeconds(19));
        assertThat(ends).hasValue(0);
        greeted().close();
        eventually("it ends with its last client", () -> {
            time.advance(Duration.ofMillis(1));
            return ends.get() > 0;
        });
    }

    @Test
    void time_until_the_end_is_known_while_no_client_is_connected() throws Exception {
        time.advance(Duration.ofSeconds(5));
        assertThat(server.untilEnd()).contains(Duration.ofSeconds(15));
        GatewayLink link = greeted();
        assertThat(server.count()).isEqualTo(1);
        assertThat(server.untilEnd()).isEmpty();
        link.close();
        // The end of the server waits for its clients, by a clock that does not run on its own.
        eventually("it has no client", () -> server.count() == 0);
    }

    @Test
    void connection_of_another_program_than_a_connector_does_not_postpone_the_end() throws Exception {
        time.advance(Duration.ofSeconds(5));
        GatewayLink link =
                Objects.requireNonNull(GatewayLink.connect(server.address().socket()));
        eventually("it has a connection", () -> server.untilEnd().isEmpty());
        assertThat(server.count()).as("clients").isZero();
        time.advance(Duration.ofSeconds(5));
        link.close();
        eventually(
                "the end is as far away as without the connection",
                () -> assertThat(server.untilEnd()).contains(Duration.ofSeconds(10)));
    }

    @Test
    void gateway_that_ends_leaves_no_files_of_its_start() throws Exception {
        List<Path> ofStart = ofStart();
        server.close(Duration.ZERO, () -> 0, () -> {});
        assertThat(ofStart).allSatisfy(file -> assertThat(file).doesNotExist());
    }

    @Test
    void gateway_that_ends_leaves_the_files_to_the_next_one_in_its_place() throws Exception {
        List<Path> ofStart = ofStart();
        ShareServer next = opened(time.platform().withEnvironment(Map.of("FUSEBOX_HOME", home.toString())));
        server.close(Duration.ZERO, () -> 0, () -> {});
        assertThat(ofStart).allSatisfy(file -> assertThat(file).exists());
        next.close(Duration.ZERO, () -> 0, () -> {});
        assertThat(ofStart).allSatisfy(file -> assertThat(file).doesNotExist());
    }

    private List<Path> ofStart() throws IOException {
        return List.of(Files.createFile(address.startLock()), Files.createFile(address.startLog()));
    }

    @Test
    void gateway_that_no_client_reaches_ends() throws Exception {
        assertThat(server.address().socket()).exists();
        time.advance(Duration.ofSeconds(21));
        assertThat(ends).hasValue(1);
    }
}
