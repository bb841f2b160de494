package dev.fusebox.client.stream;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.MessageRecorder;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundHttpClient;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.RequestAuthorizer;
import dev.fusebox.client.http.StreamOpener;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.ManualTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers over TCP and Unix sockets, with one message on each line.
@Timeout(120)
class LineConnectorsTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    /// More than the buffers of the system hold for a connection.
    private static final int LARGE = 16 << 20;

    private static final StreamLimits STUCK_AFTER_30_S = StreamLimits.defaults().withStuckWrite(Duration.ofSeconds(30));

    private final Platform platform = Platform.system();
    private final CountDownLatch isOver = new CountDownLatch(1);

    @TempDir
    private Path folder;

    @AfterEach
    void end() {
        isOver.countDown();
    }

    enum Family {
        TCP,
        UNIX
    }

    /// What a server does on one connection.
    @FunctionalInterface
    private interface Script {
        void run(BufferedReader in, OutputStream out, SocketChannel channel) throws IOException;
    }

    /// The request of a line as its server sees it.
    private static String result(String line, String result) {
        JsonView id = JsonView.of(line).member("id");
        return "{\"jsonrpc\":\"2.0\",\"id\":" + (id == null ? "null" : id.json()) + ",\"result\":" + result + "}\n";
    }

    private static void answerAll(BufferedReader in, OutputStream out) throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.write(result(line, "{\"content\":[]}").getBytes(UTF_8));
        }
    }

    /// A server whose first connection runs the script, and whose later ones answer every request.
    private ServerSocketChannel server(Family family, Script first) throws IOException {
        SocketAddress address = family == Family.TCP
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)
                : UnixDomainSocketAddress.of(folder.resolve("s"));
        ServerSocketChannel listener = family == Family.TCP
                ? ServerSocketChannel.open()
                : ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(address);
        Thread.ofVirtual().start(() -> {
            try {
                serve(listener.accept(), first);
                while (true) {
                    serve(listener.accept(), (in, out, channel) -> answerAll(in, out));
                }
            } catch (IOException closed) {
                // The server is closed.
            }
        });
        return listener;
    }

    private static void serve(SocketChannel channel, Script script) {
        Thread.ofVirtual().start(() -> {
            try (channel) {
                BufferedReader in = new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), UTF_8));
                script.run(in, Channels.newOutputStream(channel), channel);
            } catch (IOException gone) {
                // The client has closed.
            }
        });
    }

    private Connector connector(SocketAddress address, OutboundHttpClient client, StreamLimits limits) {
        return connector(platform, address, client, limits);
    }

    private static Connector connector(
            Platform platform, SocketAddress address, OutboundHttpClient client, StreamLimits limits) {
        StreamServer server = new StreamServer(platform, "test", () -> Redactor.NONE, limits);
        if (address instanceof UnixDomainSocketAddress socket) {
            return new UnixConnector(server, socket.getPath(), LONG);
        }
        HttpTarget target = HttpTarget.of(URI.create("tcp://127.0.0.1:" + ((InetSocketAddress) address).getPort()));
        return new TcpConnector(server, new StreamOpener(platform, client, target, RequestAuthorizer.NONE));
    }

    private static Connection connected(Connector connector) {
        return MessageRecorder.connected(connector.open(ServerMessageHandler.NONE));
    }

    private Outcome call(Connection connection) {
        return call(connection, "{}");
    }

    private Outcome call(Connection connection, String params) {
        Deadline deadline = new Deadline(LONG, LONG, platform.ticker());
        return connection.call(new Call(MessageRecorder.request("1", "tools/call", params), deadline, Caller.SILENT));
    }

    @ParameterizedTest
    @EnumSource
    void calls_are_answered_beside_lines_that_are_no_messages(Family family) throws Exception {
        Script script = (in, out, channel) -> {
            out.write("hello, this is a server\n\n\u0000\u0001\n[1,2]\n".getBytes(UTF_8));
            answerAll(in, out);
        };
        try (ServerSocketChannel server = server(family, script);
                OutboundHttpClient client = OutboundHttpClient.open(platform, OutboundSettings.defaults())) {
            Connection connection = connected(connector(server.getLocalAddress(), client, StreamLimits.defaults()));

            for (int i = 0; i < 100; i++) {
                assertThat(call(connection)).isInstanceOf(Outcome.Answered.class);
            }
            assertThat(connection.process()).isNull();
            connection.close();
            assertThat(connection.isAlive()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void lost_connection_fails_calls_in_flight_and_the_next_connection_works(Family family) throws Exception {
        Script script = (in, out, channel) -> {
            in.readLine();
            channel.shutdownOutput();
            in.readLine();
        };
        try (ServerSocketChannel server = server(family, script);
                OutboundHttpClient client = OutboundHttpClient.open(platform, OutboundSettings.defaults())) {
            Connector connector = connector(server.getLocalAddress(), client, StreamLimits.defaults());
            CallFailure failure = MessageRecorder.failed(call(connected(connector)));

            assertThat(failure.id()).isEqualTo(ErrorId.CONNECTION_LOST);
            assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(call(connected(connector))).isInstanceOf(Outcome.Answered.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void line_over_the_limit_fails_its_call_and_an_endless_one_costs_the_connection(Family family) throws Exception {
        Script script = (in, out, channel) -> {
            out.write(result(in.readLine(), "{\"text\":\"" + "x".repeat(200_000) + "\"}")
                    .getBytes(UTF_8));
            in.readLine();
            while (channel.isOpen()) {
                out.write("x".repeat(100_000).getBytes(UTF_8));
            }
        };
        StreamLimits limits = StreamLimits.defaults().withFrameBytes(100_000).withDiscardBytes(1_000_000);
        try (ServerSocketChannel server = server(family, script);
                OutboundHttpClient client = OutboundHttpClient.open(platform, OutboundSettings.defaults())) {
            Connector connector = connector(server.getLocalAddress(), client, limits);
            Connection connection = connected(connector);

            assertThat(MessageRecorder.failed(call(connection)).message()).contains("result too large");
            CallFailure endless = MessageRecorder.failed(call(connection));
            assertThat(endless.message()).contains("sent an endless message");
            assertThat(endless.id()).isEqualTo(ErrorId.PROTOCOL_VIOLATION);
            assertThat(call(connected(connector))).isInstanceOf(Outcome.Answered.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void result_nested_too_deep_fails_its_call_and_keeps_the_connection(Family family) throws Exception {
        Script script = (in, out, channel) -> {
            String nested = "[".repeat(20) + "]".repeat(20);
            out.write(result(in.readLine(), "{\"text\":" + nested + "}").getBytes(UTF_8));
            answerAll(in, out);
        };
        try (ServerSocketChannel server = server(family, script);
                OutboundHttpClient client = OutboundHttpClient.open(platform, OutboundSettings.defaults())) {
            StreamLimits limits = StreamLimits.defaults().withMaxDepth(16);
            Connection connection = connected(connector(server.getLocalAddress(), client, limits));

            CallFailure failure = MessageRecorder.failed(call(connection));
            assertThat(failure.message()).contains("result nested deeper than 16");
            assertThat(failure.category()).isEqualTo(FailureCategory.PROTOCOL);
            assertThat(call(connection)).isInstanceOf(Outcome.Answered.class);
        }
    }

    private static String params(int bytes) {
        return "{\"text\":\"" + "x".repeat(bytes) + "\"}";
    }

    @ParameterizedTest
    @EnumSource
    void server_that_reads_nothing_is_disconnected_after_stuckWriteMs(Family family) throws Exception {
        Script script = (in, out, channel) -> {
            try {
                isOver.await();
            } catch (InterruptedException stopped) {
                throw new IOException(stopped);
            }
        };
        ManualTime time = new ManualTime();
        try (ServerSocketChannel server = server(family, script);
                OutboundHttpClient client = OutboundHttpClient.open(time.platform(), OutboundSettings.defaults())) {
            Connector connector = connector(time.platform(), server.getLocalAddress(), client, STUCK_AFTER_30_S);
            Connection connection = connected(connector);
            Future<Outcome> call =
                    CompletableFuture.supplyAsync(() -> call(connection, params(LARGE)), Thread::startVirtualThread);
            // The socket takes some of it at first, and each part counts as progress.
            eventually("the call has failed", () -> {
                time.advance(Duration.ofSeconds(31));
                return call.isDone();
            });

            CallFailure failure = MessageRecorder.failed(call.get());
            assertThat(failure.message()).contains("has read nothing for 30000 ms and was disconnected");
            assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(call(connected(connector))).isInstanceOf(Outcome.Answered.class);
        }
    }

    /// It takes a minute for the message, and has read some of it every twenty seconds.
    @ParameterizedTest
    @EnumSource
    void server_that_reads_slowly_keeps_its_connection(Family family) throws Exception {
        int parts = 3;
        ManualTime time = new ManualTime();
        Script script = (in, out, channel) -> {
            for (int i = 0; i < parts; i++) {
                assertThat(in.skip(LARGE)).isEqualTo(LARGE);
                time.advance(Duration.ofSeconds(20));
            }
            in.readLine();
            answerAll(in, out);
        };
        try (ServerSocketChannel server = server(family, script);
                OutboundHttpClient client = OutboundHttpClient.open(time.platform(), OutboundSettings.defaults())) {
            Connection connection =
                    connected(connector(time.platform(), server.getLocalAddress(), client, STUCK_AFTER_30_S));
            String large = "{\"jsonrpc\":\"2.0\",\"method\":\"large\",\"params\":" + params(parts * LARGE) + "}";
            connection.sendOneWay(large.getBytes(UTF_8));

            assertThat(call(connection)).isInstanceOf(Outcome.Answered.class);
            assertThat(connection.isAlive()).isTrue();
            assertThat(time.nanos()).isEqualTo(Duration.ofMinutes(1).toNanos());
        }
    }

    @Test
    void server_that_cannot_be_reached_is_reported_as_offline_with_the_reason() throws Exception {
        Path missing = folder.resolve("missing");
        Path left = folder.resolve("left");
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(left))
                .close();
        try (OutboundHttpClient client = OutboundHttpClient.open(platform, OutboundSettings.defaults())) {
            List<SocketAddress> addresses = List.of(
                    UnixDomainSocketAddress.of(missing),
                    UnixDomainSocketAddress.of(left),
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
            List<String> words = List.of(
                    "Server unreachable: unix:" + missing + ": No such file",
                    "Server unreachable: unix:" + left + ": Connection refused",
                    "Server unreachable: tcp://127.0.0.1:1: Connection refused");
            for (int i = 0; i < addresses.size(); i++) {
                Connector.Opened opened = connector(addresses.get(i), client, StreamLimits.defaults())
                        .open(ServerMessageHandler.NONE);
                CallFailure failure = MessageRecorder.refused(opened);
                assertThat(failure.message()).startsWith(words.get(i));
                assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
                assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            }
        }
        assertThat(Files.exists(left)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void answers_in_single_bytes_twice_and_under_other_ids_are_given_to_their_calls(Family family) throws Exception {
        Script script = (in, out, channel) -> {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String answer = result(line, "{\"content\":[]}");
                String all = result("{\"id\":4711}", "{}") + answer + answer;
                for (byte each : all.getBytes(UTF_8)) {
                    out.write(each);
                }
            }
        };
        try (ServerSocketChannel server = server(family, script);
                OutboundHttpClient client = OutboundHttpClient.open(platform, OutboundSettings.defaults())) {
            Connection connection = connected(connector(server.getLocalAddress(), client, StreamLimits.defaults()));
            for (int i = 0; i < 20; i++) {
                assertThat(call(connection)).isInstanceOf(Outcome.Answered.class);
            }
        }
    }

    @Test
    void socket_file_that_is_replaced_keeps_its_connections_and_leads_new_ones_to_the_new_server() throws Exception {
        Script script = (in, out, channel) -> {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.write(result(line, "{\"old\":true}").getBytes(UTF_8));
            }
        };
        try (ServerSocketChannel old = server(Family.UNIX, script);
                OutboundHttpClient client = OutboundHttpClient.open(platform, OutboundSettings.defaults())) {
            SocketAddress address = old.getLocalAddress();
            Connector connector = connector(address, client, StreamLimits.defaults());
            Connection first = connected(connector);
            assertThat(json(call(first))).contains("old");
            Files.delete(folder.resolve("s"));
            try (ServerSocketChannel next = server(Family.UNIX, (in, out, channel) -> answerAll(in, out))) {
                assertThat(next.getLocalAddress()).isEqualTo(address);
                assertThat(json(call(connected(connector)))).contains("content");
                assertThat(json(call(first))).contains("old");
            }
        }
    }

    private static String json(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Answered.class);
        return ((Outcome.Answered) outcome).answer().frame().json();
    }

    /// A connector is used by virtual threads, on which a channel connects in another way than on others.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unix_server_that_accepts_no_connection_is_offline_after_the_connect_timeout(boolean isVirtual)
            throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("full"));
        List<SocketChannel> waiting = new ArrayList<>();
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(address, 1);
            for (int i = 0; i < 2; i++) {
                waiting.add(SocketChannel.open(address));
            }
            StreamServer server = new StreamServer(platform, "test", () -> Redactor.NONE, StreamLimits.defaults());
            Connector connector = new UnixConnector(server, address.getPath(), Duration.ofMillis(300));
            CompletableFuture<Connector.Opened> opened = new CompletableFuture<>();
            Thread.Builder builder = isVirtual ? Thread.ofVirtual() : Thread.ofPlatform();
            builder.start(() -> opened.complete(connector.open(ServerMessageHandler.NONE)));

            assertThat(opened.get()).isInstanceOf(Connector.Opened.Refused.class);
            CallFailure failure = ((Connector.Opened.Refused) opened.get()).failure();
            assertThat(failure.id()).as(failure.message()).isEqualTo(ErrorId.CONNECT_TIMEOUT);
            assertThat(failure.message()).contains("connect timed out after 300 ms");
            assertThat(failure.message().endsWith(")"))
                    .as("the reason of the last attempt: " + failure.message())
                    .isEqualTo(isVirtual);
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
        } finally {
            for (SocketChannel channel : waiting) {
                channel.close();
            }
        }
    }

    @Test
    void path_that_is_too_long_for_a_socket_is_refused_with_the_reason() {
        StreamServer server = new StreamServer(platform, "test", () -> Redactor.NONE, StreamLimits.defaults());
        Connector connector = new UnixConnector(server, folder.resolve("x".repeat(200)), LONG);
        CallFailure failure = ((Connector.Opened.Refused) connector.open(ServerMessageHandler.NONE)).failure();
        assertThat(failure.message()).contains("too long");
        assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
    }
}
