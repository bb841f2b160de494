package dev.fusebox.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests with more connections than usual, to a server in a process of its own.
///
/// Takes over five seconds: there are ten thousand connections.
@Tag("process")
@Timeout(120)
class ManyConnectionsTest {
    private static final int SERVERS = 10_000;
    /// Of these, a JVM needs about ten for itself.
    private static final int FEW = 100;

    /// The server program and its address.
    private record Program(Process process, InetSocketAddress address) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            process.getOutputStream().close();
            try {
                if (!process.waitFor(20, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }

        String request(String path) throws IOException {
            try (var client = RawClient.of(address)) {
                return client.send(text(path)).answer().body();
            }
        }

        String text(String path) {
            return "GET " + path + " HTTP/1.1\r\nHost: localhost:" + address.getPort() + "\r\n\r\n";
        }

        boolean hasNoDescriptorLeft() {
            return descriptors() >= FEW;
        }

        private int descriptors() {
            String[] names = Path.of("/proc/" + process.pid() + "/fd").toFile().list();
            return names == null ? 0 : names.length;
        }

        /// From `/proc`, where it is in hundredths of a second (proc(5), fields 14 and 15).
        Duration cpu() {
            try {
                String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
                String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                return Duration.ofMillis(10 * (Long.parseLong(fields[11]) + Long.parseLong(fields[12])));
            } catch (IOException e) {
                throw new IllegalStateException("this test requires Linux", e);
            }
        }
    }

    private Program start(int descriptors) throws IOException {
        String classPath = Stream.of(ServerProgram.class, HttpServer.class, Platform.class)
                .map(type ->
                        type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .distinct()
                .reduce((one, other) -> one + File.pathSeparator + other)
                .orElseThrow();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n " + descriptors + "; exec \"$@\"",
                        "sh",
                        java,
                        "-XX:+UseSerialGC",
                        "-Xms64m",
                        "-XX:-MaxFDLimit",
                        "-cp",
                        classPath,
                        ServerProgram.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var output = new BufferedReader(process.inputReader(StandardCharsets.UTF_8));
        int port = Integer.parseInt(output.readLine());
        return new Program(process, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    @Test
    void ten_thousand_idle_connections_cost_kilobytes_each() throws Exception {
        List<RawClient> servers = new ArrayList<>();
        try (Program program = start(15_000)) {
            program.request("/heap");
            long before = Long.parseLong(program.request("/heap"));
            for (int i = 0; i < SERVERS; i++) {
                RawClient client = RawClient.of(program.address());
                servers.add(client);
                assertThat(client.send(program.text("/")).answer().status()).isEqualTo(200);
            }
            long each = (Long.parseLong(program.request("/heap")) - before) / SERVERS;
            System.out.printf("an idle connection costs %,d bytes of heap%n", each);
            assertThat(each).isBetween(500L, 8L << 10);
        } finally {
            for (RawClient client : servers) {
                client.close();
            }
        }
    }

    @Test
    void server_without_descriptors_neither_spins_nor_ends_and_recovers() throws Exception {
        List<RawClient> servers = new ArrayList<>();
        try (Program program = start(FEW);
                var early = RawClient.of(program.address())) {
            early.send(program.text("/")).answer();
            for (int i = 0; i < 2 * FEW; i++) {
                servers.add(RawClient.of(program.address()));
            }
            eventually("the program has no file descriptor left", program::hasNoDescriptorLeft);
            Duration before = program.cpu();
            Duration half = before.plusMillis(500);
            throughout(
                    "less than half a second of CPU is used",
                    Duration.ofSeconds(1),
                    () -> assertThat(program.cpu()).isLessThanOrEqualTo(half));
            System.out.printf(
                    "without descriptors: %s of CPU in 1 s%n", program.cpu().minus(before));
            assertThat(early.send(program.text("/")).answer().status()).isEqualTo(200);

            for (RawClient client : servers) {
                client.close();
            }
            assertThat(Long.parseLong(program.request("/"))).isPositive();
        } finally {
            for (RawClient client : servers) {
                client.close();
            }
        }
    }
}
