package dev.fusebox.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Category;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Reached;
import dev.fusebox.testkit.server.FaultProxy;
import dev.fusebox.testkit.server.Trouble;
import dev.fusebox.world.World;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.Security;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What servers and networks do wrong, over real sockets, and who is blamed for it.
@Timeout(120)
class HttpFaultsTest {
    private static final String DONE = "{\"content\":[]}";
    private static final String ECHO = "{\"name\":\"echo\"}";
    private static final Duration SHORT = Duration.ofSeconds(1);
    /// What a limit of a second may take on a machine that is busy with other things.
    private static final Duration SLACK = Duration.ofSeconds(15);

    private static RawServer always(String answer) throws IOException {
        return RawServer.answering(request -> answer);
    }

    private static Fault faultOf(String answer) throws IOException {
        try (RawServer server = always(answer);
                Desk desk = Desk.at(server.uri())) {
            return desk.fault("tools/call", ECHO);
        }
    }

    private static void assertEndsInTime(Desk desk, Category category, Reached reached) {
        long start = System.nanoTime();
        Fault fault = Desk.failed(desk.call("tools/call", ECHO, SHORT));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SLACK);
        assertThat(fault.code()).isEqualTo(FaultCode.TIMEOUT);
        assertThat(fault.category()).isEqualTo(category);
        assertThat(fault.reached()).isEqualTo(reached);
    }

    // ---- F37

    @Test
    void f37_a_refused_connection_is_offline_and_nothing_was_sent() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        try (Desk desk = Desk.at(URI.create("http://127.0.0.1:" + port + "/mcp"))) {
            Fault fault = desk.fault("tools/call", ECHO);

            assertThat(fault.code()).isEqualTo(FaultCode.CONNECT_FAILED);
            assertThat(fault.category()).isEqualTo(Category.OFFLINE);
            assertThat(fault.reached()).isEqualTo(Reached.NOT_SENT);
            assertThat(desk.outbound.lines()).isZero();
        }
    }

    @Test
    void f37_a_reset_after_the_request_leaves_its_outcome_unknown() throws IOException {
        RawServer.Script script = wire -> {
            wire.next();
            wire.reset();
        };
        try (RawServer server = RawServer.start(script);
                Desk desk = Desk.at(server.uri())) {
            Fault fault = desk.fault("tools/call", ECHO);

            assertThat(fault.category()).isEqualTo(Category.OFFLINE);
            assertThat(fault.reached()).isEqualTo(Reached.UNKNOWN);
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void f37_a_reset_in_the_middle_of_the_answer_leaves_the_outcome_unknown() throws IOException {
        RawServer.Script script = wire -> {
            wire.next();
            wire.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"json");
            wire.reset();
        };
        try (RawServer server = RawServer.start(script);
                Desk desk = Desk.at(server.uri())) {
            assertThat(desk.fault("tools/call", ECHO).reached()).isEqualTo(Reached.UNKNOWN);
        }
    }

    // ---- F38, F39

    @Test
    void f38_a_server_that_does_not_answer_the_connection_costs_the_connect_timeout() throws IOException {
        try (RawServer server = always(RawServer.ACCEPTED);
                FaultProxy proxy = FaultProxy.to(server.port());
                Desk desk = Desk.at(
                        proxy.through(server.uri()), OutboundSettings.usual().withConnectTimeout(SHORT))) {
            proxy.set(new Trouble.Unanswered());
            long start = System.nanoTime();

            Fault fault = desk.fault("tools/call", ECHO);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(900), SLACK);
            assertThat(fault.category()).isEqualTo(Category.OFFLINE);
            assertThat(fault.reached()).isEqualTo(Reached.NOT_SENT);
            assertThat(desk.outbound.lines()).isZero();
        }
    }

    @Test
    void f38_a_call_whose_time_ends_while_connecting_blames_nobody() throws IOException {
        try (RawServer server = always(RawServer.ACCEPTED);
                FaultProxy proxy = FaultProxy.to(server.port());
                Desk desk = Desk.at(
                        proxy.through(server.uri()), OutboundSettings.usual().withConnectTimeout(Desk.LONG))) {
            proxy.set(new Trouble.Unanswered());

            assertEndsInTime(desk, Category.LOCAL, Reached.NOT_SENT);
        }
    }

    @Test
    void f39_a_line_that_dies_after_the_request_costs_the_calls_time_and_is_not_used_again() throws IOException {
        try (RawServer server = RawServer.answering(request -> RawServer.json(200, request.result(DONE)));
                FaultProxy proxy = FaultProxy.to(server.port());
                Desk desk = Desk.at(proxy.through(server.uri()))) {
            desk.answer("tools/call", ECHO);
            proxy.set(new Trouble.BlackHole());
            assertEndsInTime(desk, Category.OFFLINE, Reached.UNKNOWN);
            proxy.set(new Trouble.None());

            assertThat(desk.answer("tools/call", ECHO)).contains(DONE);
            assertThat(server.accepted).hasValue(2);
        }
    }

    // ---- F40

    @Test
    void f40_a_line_that_was_closed_while_idle_is_replaced_before_anything_is_sent() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        RawServer.Script script = wire -> {
            RawServer.Received request = wire.next();
            wire.write(RawServer.json(200, request == null ? "" : request.result(DONE)));
            wire.socket.close();
            closed.countDown();
        };
        try (RawServer server = RawServer.start(script);
                Desk desk = Desk.at(server.uri())) {
            desk.answer("tools/call", ECHO);
            assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();

            assertThat(desk.answer("tools/call", ECHO)).contains(DONE);
            assertThat(server.received).hasSize(2);
        }
    }

    @Test
    void f40_a_line_that_is_closed_once_the_request_is_there_is_not_tried_again() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        RawServer.Answers first =
                request -> requests.incrementAndGet() == 1 ? RawServer.json(200, request.result(DONE)) : null;
        try (RawServer server = RawServer.answering(first);
                Desk desk = Desk.at(server.uri())) {
            desk.answer("tools/call", ECHO);

            assertThat(desk.fault("tools/call", ECHO).reached()).isEqualTo(Reached.UNKNOWN);
            assertThat(server.received).hasSize(2);
            assertThat(server.accepted).hasValue(1);
        }
    }

    @Test
    void f40_bytes_that_nobody_asked_for_are_taken_for_no_answer() throws Exception {
        CountDownLatch said = new CountDownLatch(1);
        RawServer.Script script = wire -> {
            RawServer.Received request = wire.next();
            wire.write(RawServer.json(200, request == null ? "" : request.result(DONE)));
            wire.write(RawServer.json(200, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"forged\":true}}"));
            said.countDown();
            wire.next();
        };
        try (RawServer server = RawServer.start(script);
                Desk desk = Desk.at(server.uri())) {
            desk.answer("tools/call", ECHO);
            assertThat(said.await(20, TimeUnit.SECONDS)).isTrue();

            assertThat(desk.answer("tools/call", ECHO)).doesNotContain("forged");
            assertThat(server.accepted).hasValue(2);
        }
    }

    // ---- F41

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\r\nX: ", "BODY", "EVENTS"})
    void f41_what_drips_ends_at_the_calls_time(String where) throws IOException {
        String begin = switch (where) {
            case "BODY" -> "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n\r\n";
            case "EVENTS" -> RawServer.EVENTS_TO_END + "data: ";
            default -> where;
        };
        Desk[] one = new Desk[1];
        RawServer.Script script = wire -> {
            wire.next();
            wire.write(begin);
            while (true) {
                wire.write(" ");
                pause(one[0]);
            }
        };
        try (RawServer server = RawServer.start(script);
                Desk desk = Desk.at(server.uri())) {
            one[0] = desk;
            assertEndsInTime(desk, Category.OFFLINE, Reached.UNKNOWN);
            assertThat(desk.outbound.lines()).isZero();
        }
    }

    private static void pause(Desk desk) throws IOException {
        try {
            desk.world.pause(Duration.ofMillis(100));
        } catch (InterruptedException over) {
            throw new IOException(over);
        }
    }

    // ---- F42

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}}\r\n",
                "HTTP/1.1 200 OK\nContent-Length: 2\n\n{}",
                "HTTP/1.1 200 OK\r\nNo colon\r\n\r\n",
                "HTTP/2.0 200 OK\r\n\r\n",
                "SSH-2.0-OpenSSH_9.9\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: br\r\n\r\nabc",
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
            })
    void f42_what_is_no_http_is_the_servers_fault(String answer) throws IOException {
        Fault fault = faultOf(answer);

        assertThat(fault.category()).isEqualTo(Category.OTHER);
        assertThat(fault.message()).doesNotContain("Exception");
    }

    @ParameterizedTest
    @CsvSource({
        "200, text/html, <html><body>Welcome</body></html>",
        "200, text/plain, hello",
        "200, application/json, ''",
        "200, application/json, {\"jsonrpc\"",
        "200, application/json, '{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"result\":{}}'",
        "200, text/event-stream-like, 'data: {}'",
        "202, application/json, ''",
        "204, application/json, ''",
        "206, application/json, ''"
    })
    void f42_a_success_without_an_answer_is_the_servers_fault(int status, String type, String body) throws IOException {
        Fault fault = faultOf(RawServer.plain(status, type, status == 204 ? "" : body));

        assertThat(fault.category()).isEqualTo(Category.OTHER);
        assertThat(fault.reached()).isEqualTo(Reached.UNKNOWN);
    }

    @Test
    void f42_of_a_foreign_page_little_is_shown_and_no_secret() throws IOException {
        String page = "<h1>\u001b[31mBad\u0007</h1> Bearer s3cr3t-t0k3n " + "x".repeat(5_000);
        try (RawServer server = always(RawServer.plain(200, "text/html", page))) {
            HttpTarget target = HttpTarget.of(server.uri()).withHeaders(Map.of("Authorization", "Bearer s3cr3t-t0k3n"));
            try (Desk desk = new Desk(Outbound.open(World.system(), OutboundSettings.usual()), target)) {
                String message = desk.fault("tools/call", ECHO).message();

                assertThat(message).contains("<h1>").hasSizeLessThan(300);
                assertThat(message).doesNotContain("s3cr3t-t0k3n", "\u001b", "\u0007");
            }
        }
    }

    // ---- F43

    @ParameterizedTest
    @CsvSource({
        "301, OTHER, HTTP_ERROR, REJECTED",
        "302, OTHER, HTTP_ERROR, REJECTED",
        "400, OTHER, HTTP_ERROR, REJECTED",
        "401, AUTH, AUTH_REQUIRED, REJECTED",
        "403, AUTH, AUTH_REQUIRED, REJECTED",
        "404, OTHER, HTTP_ERROR, REJECTED",
        "405, OTHER, HTTP_ERROR, REJECTED",
        "408, HTTP, HTTP_ERROR, REJECTED",
        "409, OTHER, HTTP_ERROR, REJECTED",
        "413, OTHER, HTTP_ERROR, REJECTED",
        "429, LOCAL, OVERLOADED, REJECTED",
        "500, HTTP, HTTP_ERROR, REJECTED",
        "502, HTTP, HTTP_ERROR, UNKNOWN",
        "503, HTTP, HTTP_ERROR, REJECTED",
        "504, HTTP, HTTP_ERROR, UNKNOWN"
    })
    void f43_the_status_says_who_is_blamed(int status, Category category, FaultCode code, Reached reached)
            throws IOException {
        Fault fault = faultOf(RawServer.plain(status, "text/plain", "401 timed out ECONNREFUSED"));

        assertThat(fault.category()).isEqualTo(category);
        assertThat(fault.code()).isEqualTo(code);
        assertThat(fault.reached()).isEqualTo(reached);
        assertThat(fault.evidence().httpStatus()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 405, 409})
    void f43_an_error_of_the_protocol_in_a_refusal_is_an_answer(int status) throws IOException {
        try (RawServer server =
                        RawServer.answering(request -> RawServer.json(status, request.error(-32602, "no such tool")));
                Desk desk = Desk.at(server.uri())) {
            assertThat(desk.answer("tools/call", ECHO)).contains("-32602", "no such tool");
        }
    }

    @ParameterizedTest
    @CsvSource({"429, 7, 7", "503, 7, 7", "429, 99999, 300", "503, 0, 0", "429, soon,", "500, 7,", "429, -3,"})
    void f43_a_time_to_come_back_is_kept_for_as_long_as_is_sensible(int status, String header, Long seconds)
            throws IOException {
        Fault fault = faultOf(RawServer.plain(status, "text/plain", "", "Retry-After: " + header));

        assertThat(fault.retryAfter()).isEqualTo(seconds == null ? null : Duration.ofSeconds(seconds));
    }

    @Test
    void f43_a_time_to_come_back_may_be_a_date() throws IOException {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.ofInstant(World.system().wallClock().instant(), ZoneOffset.UTC)
                        .plusSeconds(120));

        Fault fault = faultOf(RawServer.plain(503, "text/plain", "", "Retry-After: " + date));

        assertThat(fault.retryAfter()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(120));
    }

    @Test
    void f43_a_redirect_is_followed_within_the_origin_only() throws IOException {
        try (RawServer elsewhere = always(RawServer.json(200, "{}"))) {
            RawServer.Answers answers = request -> {
                if (request.line().contains("/slash/")) {
                    return RawServer.json(200, request.result(DONE));
                }
                String to = request.body().contains("away") ? elsewhere.uri().toString() : "/slash/";
                return RawServer.plain(307, "text/plain", "", "Location: " + to);
            };
            try (RawServer server = RawServer.answering(answers);
                    Desk desk = Desk.at(server.uri())) {
                assertThat(desk.answer("tools/call", ECHO)).contains(DONE);
                Fault fault = desk.fault("tools/call", "{\"name\":\"away\"}");

                assertThat(fault.category()).isEqualTo(Category.OTHER);
                assertThat(elsewhere.accepted).hasValue(0);
            }
        }
    }

    @Test
    void f43_a_circle_of_redirects_ends() throws IOException {
        try (RawServer server = always(RawServer.plain(308, "text/plain", "", "Location: /mcp"));
                Desk desk = Desk.at(server.uri())) {
            assertThat(desk.fault("tools/call", ECHO).category()).isEqualTo(Category.OTHER);
            assertThat(server.received).hasSize(4);
        }
    }

    // ---- F44

    @ParameterizedTest
    @CsvSource({"200, application/json", "500, text/plain"})
    void f44_a_body_that_unpacks_to_a_gigabyte_ends_at_the_limit(int status, String type) throws IOException {
        byte[] bomb = zipped(1 << 30);
        byte[] head = ("HTTP/1.1 " + status + " Any\r\nContent-Type: " + type
                        + "\r\nContent-Encoding: gzip\r\nContent-Length: " + bomb.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        RawServer.Script script = wire -> {
            wire.next();
            wire.write(head);
            wire.write(bomb);
            wire.isLeft();
        };
        try (RawServer server = RawServer.start(script);
                Desk desk = Desk.at(server.uri())) {
            Outcome outcome = desk.call("tools/call", ECHO);

            assertThat(Desk.failed(outcome).category()).isEqualTo(status == 200 ? Category.PROTOCOL : Category.HTTP);
        }
    }

    /// In members, as the format allows: so only the first megabyte has to be packed.
    private static byte[] zipped(int zeros) throws IOException {
        byte[] step = new byte[1 << 20];
        ByteArrayOutputStream member = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(member)) {
            out.write(step);
        }
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        for (int i = 0; i < zeros; i += step.length) {
            member.writeTo(zipped);
        }
        return zipped.toByteArray();
    }

    @Test
    void f44_a_packed_answer_is_unpacked() throws IOException {
        RawServer.Script script = wire -> {
            RawServer.Received request = wire.next();
            ByteArrayOutputStream zipped = new ByteArrayOutputStream();
            try (OutputStream out = new GZIPOutputStream(zipped)) {
                out.write((request == null ? "" : request.result(DONE)).getBytes(StandardCharsets.UTF_8));
            }
            wire.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: "
                    + zipped.size() + "\r\n\r\n");
            wire.write(zipped.toByteArray());
            wire.isLeft();
        };
        try (RawServer server = RawServer.start(script);
                Desk desk = Desk.at(server.uri())) {
            assertThat(desk.answer("tools/call", ECHO)).contains(DONE);
        }
    }

    @Test
    void f44_a_head_without_end_ends_at_the_limit() throws IOException {
        byte[] step = new byte[64 << 10];
        Arrays.fill(step, (byte) 'x');
        AtomicBoolean left = new AtomicBoolean();
        RawServer.Script script = wire -> {
            wire.next();
            wire.write("HTTP/1.1 200 OK\r\nX: ");
            try {
                for (int i = 0; i < 10_000; i++) {
                    wire.write(step);
                }
            } finally {
                left.set(true);
            }
        };
        try (RawServer server = RawServer.start(script);
                Desk desk = Desk.at(server.uri())) {
            assertThat(desk.fault("tools/call", ECHO).category()).isEqualTo(Category.OTHER);
            assertThat(desk.outbound.lines()).isZero();
        }
    }

    @Test
    void f44_ten_thousand_headers_are_too_many() throws IOException {
        String head = "HTTP/1.1 200 OK\r\n" + "A: b\r\n".repeat(10_000) + "Content-Length: 0\r\n\r\n";

        assertThat(faultOf(head).category()).isEqualTo(Category.OTHER);
    }

    @Test
    void f44_a_body_longer_than_the_limit_is_not_read_to_its_end() throws IOException {
        try (RawServer server = RawServer.answering(
                        request -> RawServer.json(200, request.result("\"" + "x".repeat(200_000) + "\"")));
                Desk desk = Desk.at(server.uri(), OutboundSettings.usual().withMaxBodyBytes(100_000))) {
            Fault fault = desk.fault("tools/call", ECHO);

            assertThat(fault.code()).isEqualTo(FaultCode.PROTOCOL_VIOLATION);
            assertThat(fault.category()).isEqualTo(Category.PROTOCOL);
        }
    }

    // ---- F46

    private static Desk desk(Resolver.Lookup lookup, URI uri, Duration connectTimeout) {
        Outbound outbound =
                Outbound.with(World.system(), OutboundSettings.usual().withConnectTimeout(connectTimeout), lookup);
        return new Desk(outbound, HttpTarget.of(uri));
    }

    @Test
    void f46_a_name_that_does_not_exist_is_offline_until_it_does() throws IOException {
        AtomicBoolean exists = new AtomicBoolean();
        Resolver.Lookup lookup = host -> {
            if (!exists.get()) {
                throw new UnknownHostException(host);
            }
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
        };
        try (RawServer server = RawServer.answering(request -> RawServer.json(200, request.result(DONE)));
                Desk desk = desk(lookup, URI.create("http://tools.test:" + server.port() + "/mcp"), Desk.LONG)) {
            Fault fault = desk.fault("tools/call", ECHO);
            exists.set(true);

            assertThat(fault.category()).isEqualTo(Category.OFFLINE);
            assertThat(fault.reached()).isEqualTo(Reached.NOT_SENT);
            assertThat(desk.answer("tools/call", ECHO)).contains(DONE);
            assertThat(server.received.getFirst().header("host")).isEqualTo("tools.test:" + server.port());
        }
    }

    @Test
    void f46_a_name_service_that_hangs_costs_the_connect_timeout_and_one_thread() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        Resolver.Lookup lookup = host -> {
            if (host.equals("healthy.test")) {
                return new InetAddress[] {InetAddress.getLoopbackAddress()};
            }
            asked.incrementAndGet();
            awaitUninterrupted(hangs);
            throw new UnknownHostException(host);
        };
        try (RawServer server = RawServer.answering(request -> RawServer.json(200, request.result(DONE)));
                Desk desk = desk(lookup, URI.create("http://hangs.test/mcp"), SHORT);
                Desk healthy = new Desk(
                        desk.outbound, HttpTarget.of(URI.create("http://healthy.test:" + server.port() + "/mcp")))) {
            for (int i = 0; i < 3; i++) {
                assertThat(desk.fault("tools/call", ECHO).category()).isEqualTo(Category.OFFLINE);
            }

            assertThat(healthy.answer("tools/call", ECHO)).contains(DONE);
            assertThat(asked).hasValue(1);
            hangs.countDown();
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void f46_the_jdk_forgets_within_three_seconds_that_a_name_did_not_exist() {
        try (Desk desk = Desk.at(URI.create("http://127.0.0.1:9/mcp"))) {
            assertThat(desk.outbound.lines()).isZero();
            assertThat(Security.getProperty("networkaddress.cache.negative.ttl"))
                    .isEqualTo("3");
        }
    }

    @Test
    void f46_of_several_addresses_the_first_that_answers_is_taken() throws IOException {
        Resolver.Lookup lookup =
                host -> new InetAddress[] {InetAddress.ofLiteral("127.0.0.77"), InetAddress.getLoopbackAddress()};
        try (RawServer server = RawServer.answering(request -> RawServer.json(200, request.result(DONE)));
                Desk desk = desk(lookup, URI.create("http://two.test:" + server.port() + "/mcp"), Desk.LONG)) {
            assertThat(desk.answer("tools/call", ECHO)).contains(DONE);
        }
    }
}
