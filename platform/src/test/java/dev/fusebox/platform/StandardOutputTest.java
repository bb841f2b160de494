package dev.fusebox.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.condition.OS.LINUX;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.io.TempDir;

/// Standard output of a real process whose reader does not read: a pipe, a socket and a file.
@Tag("process")
@Timeout(60)
@EnabledOnOs(LINUX)
class StandardOutputTest {
    /// `O_NONBLOCK`, in the octal flags of `/proc/PID/fdinfo`.
    private static final long NON_BLOCKING = 04000;

    private static final int PIPE_BUF = 4096;

    @SuppressWarnings("NullAway.Init")
    private Process process;

    @AfterEach
    void end() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void write_to_a_full_pipe_returns_and_leaves_the_inherited_descriptor_blocking() throws IOException {
        Report report = start(java());
        assertThat(report.taken()).isGreaterThan(PIPE_BUF);
        assertThat(report.flags() & NON_BLOCKING).isZero();
        assertThat(process.getInputStream().readNBytes(report.taken())).isEqualTo(sent(report));
        process.getInputStream().close();
        process.getOutputStream().close();
        assertThat(next()).isEqualTo("-1");
    }

    @Test
    void write_to_a_full_socket_returns_and_leaves_it_blocking() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String redirected = "exec \"$0\" \"$@\" > /dev/tcp/127.0.0.1/" + server.getLocalPort();
            List<String> command = new ArrayList<>(List.of("bash", "-c", redirected));
            command.addAll(java());
            Report report = start(command);
            try (Socket socket = server.accept()) {
                assertThat(report.taken()).isGreaterThan(PIPE_BUF);
                assertThat(report.flags() & NON_BLOCKING).isZero();
                InputStream in = socket.getInputStream();
                assertThat(in.readNBytes(report.taken())).isEqualTo(sent(report));
            }
        }
    }

    @Test
    void file_takes_no_bytes_without_blocking(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("out");
        Files.writeString(file, "kept");
        List<String> command = new ArrayList<>(List.of("bash", "-c", "exec \"$0\" \"$@\" >> " + file));
        command.addAll(java());
        assertThat(start(command).taken()).isZero();
        assertThat(file).hasContent("kept");
    }

    /// What the process says about itself on stderr: bytes taken before its output was full, and the flags of its
    /// descriptor.
    private record Report(int taken, long flags) {}

    private Report start(List<String> command) throws IOException {
        process = new ProcessBuilder(command).start();
        return new Report(Integer.parseInt(next()), Long.parseLong(next(), 8));
    }

    private String next() throws IOException {
        BufferedReader err = process.errorReader(StandardCharsets.UTF_8);
        return err.readLine();
    }

    private static List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                place(StandardOutput.class) + ":" + place(StandardOutputTest.class),
                Writer.class.getName());
    }

    private static String place(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }

    private static byte[] sent(Report report) {
        byte[] all = new byte[report.taken()];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) (i % PIPE_BUF);
        }
        return all;
    }

    /// The process: fills its standard output, reports, and writes again after the end of its input.
    public static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            byte[] block = new byte[PIPE_BUF];
            for (int i = 0; i < block.length; i++) {
                block[i] = (byte) i;
            }
            try (var out = new StandardOutput()) {
                int taken = 0;
                int count = 1;
                while (count > 0) {
                    count = out.tryWrite(block, taken % PIPE_BUF, PIPE_BUF);
                    taken += count;
                }
                System.err.println(taken);
                for (String line : Files.readAllLines(Path.of("/proc/self/fdinfo/1"))) {
                    if (line.startsWith("flags:")) {
                        System.err.println(line.substring("flags:".length()).strip());
                    }
                }
                System.in.read();
                System.err.println(out.tryWrite(block, 0, 1));
            }
        }
    }
}
