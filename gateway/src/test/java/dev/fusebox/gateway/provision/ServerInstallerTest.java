package dev.fusebox.gateway.provision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.gateway.cache.SmallDisk;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers are only added for callers that still wait, and no caller waits for another's server.
@Timeout(60)
class ServerInstallerTest {
    private static final Platform PLATFORM = Platform.system();
    private static final String BEFORE = "{\"mcpServers\":{}}";

    @TempDir
    private Path folder = Path.of("");

    private Path file = Path.of("");

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("config.json"), BEFORE);
    }

    /// Applies a file at once, with servers whose start takes as long as the test wants.
    private static final class Slow implements ServerAdder {
        private final Set<String> servers = ConcurrentHashMap.newKeySet();
        private final BlockingQueue<String> waitedFor = new LinkedBlockingQueue<>();
        private final Promise<Boolean> started = new Promise<>();

        @Override
        public boolean expect(String server) {
            return servers.add(server);
        }

        @Override
        public void abandon(String server, String why) {
            servers.remove(server);
        }

        @Override
        public void readFile() {
            // An announced server exists.
        }

        @Override
        public boolean has(String server) {
            return servers.contains(server);
        }

        @Override
        public void await(String server, Deadline deadline) throws InterruptedException {
            waitedFor.add(server);
            deadline.await(started, PLATFORM);
        }
    }

    private static LaunchConfig launchConfig(String name) {
        return new LaunchConfig("npx", List.of("-y", name + "@1.2.3"), Map.of(), List.of());
    }

    private static ServerInstaller.Added add(ServerInstaller serverInstaller, String name, Deadline deadline) {
        try {
            return serverInstaller.add(name, launchConfig(name), deadline);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    @Test
    void nothing_is_added_after_cancellation_or_timeout() throws IOException {
        Deadline givenUp = Deadline.endless(PLATFORM.ticker());
        givenUp.giveUp();
        Deadline over = new Deadline(Duration.ZERO, Duration.ZERO, PLATFORM.ticker());
        Slow grounds = new Slow();
        for (Deadline deadline : List.of(givenUp, over)) {
            assertThat(add(new ServerInstaller(PLATFORM, file, grounds), "weather", deadline))
                    .isInstanceOfSatisfying(
                            ServerInstaller.Added.Rejected.class,
                            not -> assertThat(not.why()).contains("nothing was added"));
        }
        assertThat(Files.readString(file)).isEqualTo(BEFORE);
        assertThat(grounds.servers).isEmpty();
    }

    /// F71
    @Test
    void full_or_read_only_disk_is_reported_and_nothing_is_added() throws Exception {
        try (SmallDisk disk = SmallDisk.at(folder.resolve("disk"))) {
            Path there = Files.writeString(disk.place().resolve("config.json"), BEFORE);
            Slow grounds = new Slow();
            ServerInstaller serverInstaller = new ServerInstaller(PLATFORM, there, grounds);
            disk.fill();
            assertThat(add(serverInstaller, "weather", Deadline.endless(PLATFORM.ticker())))
                    .isInstanceOfSatisfying(
                            ServerInstaller.Added.Rejected.class,
                            not -> assertThat(not.why()).isNotBlank());
            disk.freeze();
            assertThat(add(serverInstaller, "weather", Deadline.endless(PLATFORM.ticker())))
                    .isInstanceOfSatisfying(
                            ServerInstaller.Added.Rejected.class,
                            not -> assertThat(not.why()).isNotBlank());
            assertThat(Files.readString(there)).isEqualTo(BEFORE);
            assertThat(grounds.servers).isEmpty();
        }
    }

    @Test
    void slow_server_blocks_no_other_installation_and_cancellation_ends_the_wait() throws Exception {
        Slow grounds = new Slow();
        ServerInstaller serverInstaller = new ServerInstaller(PLATFORM, file, grounds);
        Deadline deadline = Deadline.endless(PLATFORM.ticker());
        Deadline other = Deadline.endless(PLATFORM.ticker());
        CompletableFuture<ServerInstaller.Added> first = adding(serverInstaller, "weather", deadline);
        assertThat(grounds.waitedFor.poll(30, TimeUnit.SECONDS)).isEqualTo("weather");
        CompletableFuture<ServerInstaller.Added> second = adding(serverInstaller, "tides", other);
        assertThat(grounds.waitedFor.poll(30, TimeUnit.SECONDS)).isEqualTo("tides");
        assertThat(Files.readString(file)).contains("weather@1.2.3", "tides@1.2.3");
        other.giveUp();
        assertThat(second.get(30, TimeUnit.SECONDS))
                .isEqualTo(new ServerInstaller.Added.Configured("tides", List.of()));
        assertThat(first).isNotDone();
        deadline.giveUp();
        assertThat(first.get(30, TimeUnit.SECONDS))
                .isEqualTo(new ServerInstaller.Added.Configured("weather", List.of()));
    }

    private static CompletableFuture<ServerInstaller.Added> adding(
            ServerInstaller serverInstaller, String name, Deadline deadline) {
        return CompletableFuture.supplyAsync(() -> add(serverInstaller, name, deadline), Thread::startVirtualThread);
    }
}
