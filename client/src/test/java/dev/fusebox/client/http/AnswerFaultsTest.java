package dev.fusebox.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Invalid responses, and their classification.
@Timeout(120)
class AnswerFaultsTest {
    private static final String DONE = "{\"content\":[]}";
    private static final String ECHO = "{\"name\":\"echo\"}";

    private static RawServer always(String answer) throws IOException {
        return RawServer.answering(request -> answer);
    }

    private static CallFailure failureOf(String answer) throws IOException {
        try (RawServer server = always(answer);
                RecordingClient client = RecordingClient.at(server.uri())) {
            return client.failure("tools/call", ECHO);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, length",
        "16383, length",
        "16384, length",
        "16385, length",
        "5242880, length",
        "1, chunk",
        "16384, chunk",
        "5242880, chunk"
    })
    void body_of_any_size_and_framing_is_read_whole(int padding, String framing) throws IOException {
        String result = "{\"content\":[{\"type\":\"text\",\"text\":\"" + "x".repeat(padding) + "\"}]}";
        RawServer.Answers answers = request -> framing.equals("length")
                ? RawServer.json(200, request.result(result))
                : "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + RawServer.chunk(request.result(result)) + RawServer.LAST_CHUNK;
        try (RawServer server = RawServer.answering(answers);
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.answer("tools/call", ECHO)).contains(result);
            assertThat(client.answer("tools/call", ECHO)).contains(result);
            assertThat(server.accepted).hasValue(1);
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
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n\r\nabc and no zip",
            })
    void f42_invalid_http_is_a_failure_of_the_server(String answer) throws IOException {
        CallFailure failure = failureOf(answer);

        assertThat(failure.category()).isEqualTo(FailureCategory.OTHER);
        assertThat(failure.message()).doesNotContain("Exception");
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
    void f42_success_without_a_response_is_a_failure_of_the_server(int status, String type, String body)
            throws IOException {
        CallFailure failure = failureOf(RawServer.plain(status, type, status == 204 ? "" : body));

        assertThat(failure.category()).isEqualTo(FailureCategory.OTHER);
        assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
    }

    @Test
    void f42_excerpt_of_a_foreign_page_is_short_and_without_secrets() throws IOException {
        String page = "<h1>\u001b[31mBad\u0007</h1> Bearer s3cr3t-t0k3n " + "x".repeat(5_000);
        try (RawServer server = always(RawServer.plain(200, "text/html", page))) {
            HttpTarget target = HttpTarget.of(server.uri()).withHeaders(Map.of("Authorization", "Bearer s3cr3t-t0k3n"));
            try (RecordingClient client = new RecordingClient(
                    OutboundHttpClient.open(Platform.system(), OutboundSettings.defaults()), target)) {
                String message = client.failure("tools/call", ECHO).message();

                assertThat(message).contains("<h1>").hasSizeLessThan(300);
                assertThat(message).doesNotContain("s3cr3t-t0k3n", "\u001b", "\u0007");
            }
        }
    }

    @Test
    void f42_no_part_of_a_secret_is_shown() throws IOException {
        String page = "No Bearer: t0k3n-of-mine, k3y-of-mine, k3y%2Dof%2Dmine, s1gnature";
        try (RawServer server = always(RawServer.plain(400, "text/plain", page))) {
            URI uri = URI.create(server.uri() + "?a=k3y%2Dof%2Dmine&s1gnature&b=No");
            HttpTarget target = HttpTarget.of(uri).withHeaders(Map.of("Authorization", "Bearer t0k3n-of-mine"));
            try (RecordingClient client = new RecordingClient(
                    OutboundHttpClient.open(Platform.system(), OutboundSettings.defaults()), target)) {
                assertThat(client.failure("tools/call", ECHO).message()).endsWith(": No Bearer: ***, ***, ***, ***");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"result\":null",
                "\"result\":\"done\"",
                "\"result\":[]",
                "\"error\":null",
                "\"error\":\"wrong\"",
                "\"error\":{}",
                "\"error\":{\"code\":\"-1\",\"message\":\"m\"}",
                "\"error\":{\"code\":-1}"
            })
    void response_with_an_unreadable_shape_is_a_failure(String answer) throws IOException {
        try (RawServer server = RawServer.answering(request ->
                        RawServer.json(200, "{\"jsonrpc\":\"2.0\",\"id\":" + request.id() + "," + answer + "}"));
                RecordingClient client = RecordingClient.at(server.uri())) {
            CallFailure failure = client.failure("tools/call", ECHO);

            assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
            assertThat(failure.category()).isEqualTo(FailureCategory.PROTOCOL);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        }
    }

    // ---- F43

    @ParameterizedTest
    @CsvSource({
        "301, OTHER, HTTP_REDIRECT, HTTP_ERROR, REJECTED",
        "302, OTHER, HTTP_REDIRECT, HTTP_ERROR, REJECTED",
        "400, OTHER, HTTP_ERROR, HTTP_ERROR, REJECTED",
        "401, AUTH, HTTP_401, AUTH_REQUIRED, REJECTED",
        "403, AUTH, HTTP_403, AUTH_REQUIRED, REJECTED",
        "404, OTHER, HTTP_404, HTTP_ERROR, REJECTED",
        "405, OTHER, HTTP_405, HTTP_ERROR, REJECTED",
        "406, OTHER, HTTP_406, HTTP_ERROR, REJECTED",
        "408, HTTP, HTTP_ERROR, HTTP_ERROR, REJECTED",
        "409, OTHER, HTTP_ERROR, HTTP_ERROR, REJECTED",
        "413, OTHER, HTTP_ERROR, HTTP_ERROR, REJECTED",
        "429, LOCAL, HTTP_429, OVERLOADED, REJECTED",
        "500, HTTP, HTTP_5XX, HTTP_ERROR, REJECTED",
        "502, HTTP, HTTP_5XX, HTTP_ERROR, UNKNOWN",
        "503, HTTP, HTTP_5XX, HTTP_ERROR, REJECTED",
        "504, HTTP, HTTP_5XX, HTTP_ERROR, UNKNOWN"
    })
    void f43_status_determines_id_category_code_and_delivery(
            int status, FailureCategory category, ErrorId id, ErrorCode code, Delivery delivery) throws IOException {
        CallFailure failure = failureOf(RawServer.plain(status, "text/plain", "401 timed out ECONNREFUSED"));

        assertThat(failure.id()).isEqualTo(id);
        assertThat(failure.category()).isEqualTo(category);
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.delivery()).isEqualTo(delivery);
        assertThat(failure.evidence().httpStatus()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 405, 409})
    void f43_jsonrpc_error_in_an_http_error_is_a_response(int status) throws IOException {
        try (RawServer server =
                        RawServer.answering(request -> RawServer.json(status, request.error(-32602, "no such tool")));
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.answer("tools/call", ECHO)).contains("-32602", "no such tool");
        }
    }

    @ParameterizedTest
    @CsvSource({"429, 7, 7", "503, 7, 7", "429, 99999, 300", "503, 0, 0", "429, soon,", "500, 7,", "429, -3,"})
    void f43_retry_after_is_kept_up_to_the_limit(int status, String header, Long seconds) throws IOException {
        CallFailure failure = failureOf(RawServer.plain(status, "text/plain", "", "Retry-After: " + header));

        assertThat(failure.retryAfter()).isEqualTo(seconds == null ? null : Duration.ofSeconds(seconds));
    }

    @Test
    void f43_retry_after_may_be_a_date() throws IOException {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.ofInstant(Platform.system().wallClock().instant(), ZoneOffset.UTC)
                        .plusSeconds(120));

        CallFailure failure = failureOf(RawServer.plain(503, "text/plain", "", "Retry-After: " + date));

        assertThat(failure.retryAfter()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(120));
    }

    @Test
    void f43_redirect_is_followed_within_the_origin_only() throws IOException {
        try (RawServer elsewhere = always(RawServer.json(200, "{}"))) {
            RawServer.Answers answers = request -> {
                if (request.line().contains("/slash/")) {
                    return RawServer.json(200, request.result(DONE));
                }
                String to = request.body().contains("away") ? elsewhere.uri().toString() : "/slash/";
                return RawServer.plain(307, "text/plain", "", "Location: " + to);
            };
            try (RawServer server = RawServer.answering(answers);
                    RecordingClient client = RecordingClient.at(server.uri())) {
                assertThat(client.answer("tools/call", ECHO)).contains(DONE);
                CallFailure failure = client.failure("tools/call", "{\"name\":\"away\"}");

                assertThat(failure.category()).isEqualTo(FailureCategory.OTHER);
                assertThat(elsewhere.accepted).hasValue(0);
            }
        }
    }

    @Test
    void f43_redirect_loop_ends() throws IOException {
        try (RawServer server = always(RawServer.plain(308, "text/plain", "", "Location: /mcp"));
                RecordingClient client = RecordingClient.at(server.uri())) {
            CallFailure failure = client.failure("tools/call", ECHO);
            assertThat(failure.category()).isEqualTo(FailureCategory.OTHER);
            assertThat(failure.code()).isEqualTo(ErrorCode.HTTP_ERROR);
            assertThat(failure.delivery()).isEqualTo(Delivery.REJECTED);
            assertThat(failure.evidence().httpStatus()).isEqualTo(308);
            assertThat(failure.message()).contains("too many redirects", "(HTTP 308)");
            assertThat(server.received).hasSize(4);
        }
    }

    @ParameterizedTest
    @CsvSource({"/login?next=secret, /login", "https://elsewhere.test/mcp, https://elsewhere.test/mcp"})
    void f43_redirect_that_is_not_followed_is_reported_with_its_location(String location, String named)
            throws IOException {
        try (RawServer server = always(RawServer.plain(302, "text/plain", "", "Location: " + location));
                RecordingClient client = RecordingClient.at(server.uri())) {
            CallFailure failure = client.failure("tools/call", ECHO);

            assertThat(failure.evidence().httpStatus()).isEqualTo(302);
            assertThat(failure.message())
                    .contains("redirect to " + named + " not followed")
                    .doesNotContain("secret");
        }
    }

    // ---- F44

    @ParameterizedTest
    @CsvSource({"200, application/json", "500, text/plain"})
    void f44_body_that_decompresses_to_a_gigabyte_ends_at_the_limit(int status, String type) throws IOException {
        byte[] bomb = zipped(1 << 30);
        byte[] head = ("HTTP/1.1 " + status + " Any\r\nContent-Type: " + type
                        + "\r\nContent-Encoding: gzip\r\nContent-Length: " + bomb.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        RawServer.Script script = wire -> {
            wire.next();
            wire.write(head);
            wire.write(bomb);
            wire.awaitClosed();
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            Outcome outcome = client.call("tools/call", ECHO);

            assertThat(RecordingClient.failed(outcome).category())
                    .isEqualTo(status == 200 ? FailureCategory.PROTOCOL : FailureCategory.HTTP);
        }
    }

    /// In members, as the format allows, so that only the first megabyte has to be compressed.
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
    void f44_compressed_response_is_decompressed() throws IOException {
        RawServer.Script script = wire -> {
            RawServer.Received request = wire.next();
            ByteArrayOutputStream zipped = new ByteArrayOutputStream();
            try (OutputStream out = new GZIPOutputStream(zipped)) {
                out.write((request == null ? "" : request.result(DONE)).getBytes(StandardCharsets.UTF_8));
            }
            wire.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: "
                    + zipped.size() + "\r\n\r\n");
            wire.write(zipped.toByteArray());
            wire.awaitClosed();
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.answer("tools/call", ECHO)).contains(DONE);
        }
    }

    @Test
    void f44_endless_head_ends_at_the_limit() throws IOException {
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
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.failure("tools/call", ECHO).category()).isEqualTo(FailureCategory.OTHER);
            assertThat(client.outboundHttpClient.openConnections()).isZero();
        }
    }

    @Test
    void f44_ten_thousand_headers_are_too_many() throws IOException {
        String head = "HTTP/1.1 200 OK\r\n" + "A: b\r\n".repeat(10_000) + "Content-Length: 0\r\n\r\n";

        assertThat(failureOf(head).category()).isEqualTo(FailureCategory.OTHER);
    }

    @Test
    void f44_body_over_the_limit_is_not_read_to_its_end() throws IOException {
        try (RawServer server = RawServer.answering(
                        request -> RawServer.json(200, request.result("\"" + "x".repeat(200_000) + "\"")));
                RecordingClient client = RecordingClient.at(
                        server.uri(), OutboundSettings.defaults().withMaxBodyBytes(100_000))) {
            CallFailure failure = client.failure("tools/call", ECHO);

            assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
            assertThat(failure.category()).isEqualTo(FailureCategory.PROTOCOL);
            assertThat(failure.delivery()).as("it may be done").isEqualTo(Delivery.UNKNOWN);
        }
    }
}
