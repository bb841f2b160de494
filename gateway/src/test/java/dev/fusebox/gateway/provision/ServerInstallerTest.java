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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers are written into the file for those who still want them, and nobody waits for another's server.
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

    /// Applies a file at once, and has servers that take as long to start as a test wants.
    private static final class Slow implements ServerAdder {
        private final Set<String> servers = ConcurrentHashMap.newKeySet();
        private final Promise<String> waitedFor = new Promise<>();
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
            // What is expected is there.
        }

        @Override
        public boolean has(String server) {
            return servers.contains(server);
        }

        @Override
        public void await(String server, Deadline deadline) throws InterruptedException {
            waitedFor.bring(server);
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
    void whoever_gave_up_or_has_no_time_left_has_nothing_added() throws IOException {
        Deadline givenUp = Deadline.endless(PLATFORM.ticker());
        givenUp.giveUp();
        Deadline over = new Deadline(Duration.ZERO, Duration.ZERO, PLATFORM.ticker());
        Slow grounds = new Slow();
        for (Deadline deadline : List.of(givenUp, over)) {
            assertThat(add(new ServerInstaller(PLATFORM, file, grounds), "weather", deadline))
                    .isInstanceOfSatisfying(
                            ServerInstaller.Added.Not.class,
                            not -> assertThat(not.why()).contains("nothing was added"));
        }
        assertThat(Files.readString(file)).isEqualTo(BEFORE);
        assertThat(grounds.servers).isEmpty();
    }

    /// F71
    @Test
    void on_a_disk_without_room_or_without_leave_to_write_nothing_is_added_and_that_is_told() throws Exception {
        try (SmallDisk disk = SmallDisk.at(folder.resolve("disk"))) {
            Path there = Files.writeString(disk.place().resolve("config.json"), BEFORE);
            Slow grounds = new Slow();
            ServerInstaller serverInstaller = new ServerInstaller(PLATFORM, there, grounds);
            disk.fill();
            assertThat(add(serverInstaller, "weather", Deadline.endless(PLATFORM.ticker())))
                    .isInstanceOfSatisfying(
                            ServerInstaller.Added.Not.class,
                            not -> assertThat(not.why()).isNotBlank());
            disk.freeze();
            assertThat(add(serverInstaller, "weather", Deadline.endless(PLATFORM.ticker())))
                    .isInstanceOfSatisfying(
                            ServerInstaller.Added.Not.class,
                            not -> assertThat(not.why()).isNotBlank());
            assertThat(Files.readString(there)).isEqualTo(BEFORE);
            assertThat(grounds.servers).isEmpty();
        }
    }

    @Test
    void a_server_that_starts_for_ever_keeps_no_other_from_being_added_and_giving_up_ends_the_wait() throws Exception {
        Slow grounds = new Slow();
        ServerInstaller serverInstaller = new ServerInstaller(PLATFORM, file, grounds);
        Deadline deadline = Deadline.endless(PLATFORM.ticker());
        CompletableFuture<ServerInstaller.Added> first =
                CompletableFuture.supplyAsync(() -> add(serverInstaller, "weather", deadline));
        assertThat(grounds.waitedFor.await(PLATFORM, Duration.ofSeconds(30))).isEqualTo("weather");
        Deadline brief = new Deadline(Duration.ofSeconds(1), Duration.ZERO, PLATFORM.ticker());
        assertThat(add(serverInstaller, "tides", brief)).isEqualTo(new ServerInstaller.Added.There("tides", List.of()));
        assertThat(Files.readString(file)).contains("weather@1.2.3", "tides@1.2.3");
        assertThat(first).isNotDone();
        deadline.giveUp();
        assertThat(first.join()).isEqualTo(new ServerInstaller.Added.There("weather", List.of()));
    }
}
