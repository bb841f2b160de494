package dev.fusebox.gateway.share;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.observe.CapturedLog;
import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.ManualTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A shared gateway whose socket was removed.
@Timeout(30)
class RemovedSocketTest {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    @TempDir
    Path home;

    private final ManualTime time = new ManualTime();
    private final CountingServices services = new CountingServices();

    /// Without clients; the server asks for the variables each time after it has looked at its socket.
    private static final class CountingServices implements SharedServices {
        private final AtomicInteger looks = new AtomicInteger();

        @Override
        public List<String> variables() {
            looks.incrementAndGet();
            return List.of();
        }

        @Override
        public Lease open(ClientPlace place) throws Unservable {
            throw new Unservable("there is nothing to serve");
        }
    }

    private void lookThreeTimes() {
        int before = services.looks.get();
        eventually("it has looked three times", () -> {
            time.advance(INTERVAL);
            return services.looks.get() >= before + 3;
        });
    }

    @Test
    void gateway_that_cannot_place_its_socket_again_says_so_once_and_tries_on() throws Exception {
        Platform platform = time.platform().withEnvironment(Map.of("FUSEBOX_HOME", home.toString()));
        ShareAddress address = ShareAddress.of(platform, Files.writeString(home.resolve("config.json"), "{}"), false);
        ShareServer.Limits limits =
                new ShareServer.Limits(() -> Duration.ofDays(1), Duration.ZERO, Duration.ofSeconds(1));
        ShareServer server =
                ShareServer.open(platform, address, new ShareServer.Options(services, "1", limits, () -> {}));
        try (CapturedLog log = CapturedLog.of(ShareServer.class)) {
            Path obstacle = Files.createDirectory(address.startLock());
            Files.delete(address.socket());
            lookThreeTimes();
            assertThat(log.levelled())
                    .filteredOn(line -> line.startsWith("WARNING"))
                    .singleElement()
                    .asString()
                    .contains("cannot be placed again");

            Files.delete(obstacle);
            eventually("the socket is there again", () -> {
                time.advance(INTERVAL);
                return Files.exists(address.socket());
            });
        } finally {
            server.close(Duration.ZERO, () -> 0, () -> {});
        }
    }
}
