package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Each trouble, seen with bare sockets in front of a server that echoes.
@Timeout(60)
class FaultProxyTest {
    private static final int DEADLINE_MS = 10_000;
    /// Long enough to tell nothing from something on a loaded machine; a healthy line takes under 1 ms.
    private static final int SILENCE_MS = 300;

    private ServerSocket echoes;
    private Thread acceptor;
    private FaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        echoes = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        acceptor = Thread.ofVirtual().name("echoes").start(this::serve);
        proxy = FaultProxy.to(echoes.getLocalPort());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        echoes.close();
    }

    private void serve() {
        try {
            while (true) {
                Socket socket = echoes.accept();
                Thread.ofVirtual().start(() -> echo(socket));
            }
        } catch (IOException e) {
            // The test has ended.
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException e) {
            // The other side is gone: nothing to echo to.
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()), DEADLINE_MS);
        socket.setSoTimeout(DEADLINE_MS);
        return socket;
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String read(Socket socket, int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
    }

    private static void assertEchoes(Socket socket) throws IOException {
        write(socket, "hello");
        assertThat(read(socket, 5)).isEqualTo("hello");
    }

    @Test
    void without_trouble_it_passes_everything_on_and_ends_with_either_side() throws Exception {
        try (Socket socket = connect()) {
            assertEchoes(socket);
            assertThat(proxy.alive()).isEqualTo(1);
            socket.shutdownOutput();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(proxy.accepted()).isEqualTo(1);
        assertThat(proxy.through(URI.create("http://127.0.0.1:1/mcp")))
                .hasToString("http://127.0.0.1:" + proxy.port() + "/mcp");
    }

    @Test
    void refused_is_refused_at_once_and_healed_on_the_same_port() throws Exception {
        try (Socket before = connect()) {
            assertEchoes(before);
            proxy.set(new LineFault.Refused());
            assertThatThrownBy(() -> before.getInputStream().read()).isInstanceOf(SocketException.class);
        }
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class).hasMessageContaining("refused");
        proxy.set(new LineFault.None());
        try (Socket after = connect()) {
            assertEchoes(after);
        }
    }

    @Test
    void unanswered_is_no_answer_to_connecting_and_healed_on_the_same_port() throws Exception {
        proxy.set(new LineFault.Unanswered());
        try (Socket socket = new Socket()) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port());
            assertThatThrownBy(() -> socket.connect(address, SILENCE_MS)).isInstanceOf(SocketTimeoutException.class);
        }
        proxy.set(new LineFault.None());
        try (Socket after = connect()) {
            assertEchoes(after);
        }
    }

    @Test
    void reset_is_a_reset_after_connecting() throws Exception {
        proxy.set(new LineFault.Reset());
        assertReset();
        assertThat(proxy.accepted()).isEqualTo(1);
    }

    @Test
    void a_black_hole_swallows_and_never_ends() throws Exception {
        try (Socket before = connect()) {
            assertEchoes(before);
            proxy.set(new LineFault.BlackHole());
            try (Socket during = connect()) {
                for (Socket socket : new Socket[] {before, during}) {
                    write(socket, "hello");
                    socket.setSoTimeout(SILENCE_MS);
                    assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
                }
            }
        }
    }

    @Test
    void delayed_is_late() throws Exception {
        proxy.set(new LineFault.Delayed(Duration.ofMillis(SILENCE_MS)));
        try (Socket socket = connect()) {
            long start = System.nanoTime();
            assertEchoes(socket);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(SILENCE_MS - 1));
        }
    }

    @Test
    void dripping_takes_its_time_for_every_byte() throws Exception {
        proxy.set(new LineFault.Dripping(Duration.ofMillis(20)));
        try (Socket socket = connect()) {
            long start = System.nanoTime();
            write(socket, "0123456789");
            assertThat(read(socket, 10)).isEqualTo("0123456789");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(150));
        }
    }

    @Test
    void cut_after_is_an_end_in_good_order() throws Exception {
        proxy.set(new LineFault.CutAfter(7));
        try (Socket socket = connect()) {
            assertEchoes(socket);
            write(socket, "world");
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("wo");
        }
    }

    @Test
    void reset_after_is_a_reset_in_the_middle() throws Exception {
        proxy.set(new LineFault.ResetAfter(7));
        try (Socket socket = connect()) {
            assertEchoes(socket);
            write(socket, "world");
            assertThatThrownBy(() -> socket.getInputStream().readAllBytes()).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void half_closed_is_an_end_for_the_client_only() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                FaultProxy line = FaultProxy.to(listener.getLocalPort());
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), line.port());
                Socket server = listener.accept()) {
            line.set(new LineFault.HalfClosed());
            socket.setSoTimeout(DEADLINE_MS);
            server.setSoTimeout(DEADLINE_MS);
            write(socket, "first");
            InputStream in = socket.getInputStream();
            assertThat(in.read()).isEqualTo(-1);
            write(socket, "second");
            assertThat(read(server, 11)).isEqualTo("firstsecond");
        }
    }

    @Test
    void closed_is_closed_for_good() throws Exception {
        try (Socket socket = connect()) {
            assertEchoes(socket);
            proxy.close();
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
        }
        assertThat(proxy.alive()).isZero();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        assertThatThrownBy(() -> proxy.set(new LineFault.None())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_server_that_is_gone_is_a_reset() throws Exception {
        echoes.close();
        // The kernel takes connections until the thread that waits for them has noticed.
        acceptor.join();
        assertReset();
        assertThat(proxy.accepted()).isEqualTo(1);
    }

    /// The reset may come at any step after the connection is there.
    private void assertReset() {
        assertThatThrownBy(() -> {
                    try (Socket socket = connect()) {
                        write(socket, "hello");
                        socket.getInputStream().read();
                    }
                })
                .isInstanceOf(SocketException.class)
                .isNotInstanceOf(ConnectException.class);
    }
}
