package dev.fusebox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.platform.Platform;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Single requests: responses, limits, and what is known of a request that failed.
@Timeout(60)
class WebClientTest {
    private static final Platform PLATFORM = Platform.system();
    private static final Duration ENOUGH = Duration.ofSeconds(30);

    private static Deadline within(Duration limit) {
        return new Deadline(limit, Duration.ZERO, PLATFORM.ticker());
    }

    private static WebClient open() {
        return WebClient.open(PLATFORM, OutboundSettings.defaults());
    }

    private static WebResponse get(HttpTarget target) throws HttpFailure {
        try (WebClient webClient = open()) {
            return webClient.get(target, within(ENOUGH));
        }
    }

    private static CallFailure failure(HttpTarget target, Duration limit) {
        try (WebClient webClient = open()) {
            HttpFailure httpFailure =
                    catchThrowableOfType(HttpFailure.class, () -> webClient.get(target, within(limit)));
            return httpFailure.failure();
        }
    }

    @Test
    void response_has_status_headers_and_body() throws Exception {
        String json = RawServer.json(429, "{\"error\":\"slow_down\"}", "Retry-After: 7", "X-Two: a", "X-Two: b");
        try (RawServer server = RawServer.answering(request -> json)) {
            WebResponse response = get(HttpTarget.of(server.uri()));
            assertThat(response.status()).isEqualTo(429);
            assertThat(response.isSuccess()).isFalse();
            assertThat(response.type()).isEqualTo("application/json");
            assertThat(response.headers("x-two")).containsExactly("a", "b");
            assertThat(response.header("x-two")).isNull();
            assertThat(response.retryAfter(Instant.now())).hasSeconds(7);
            assertThat(response.body()).asString(UTF_8).isEqualTo("{\"error\":\"slow_down\"}");
            assertThat(response).asString().doesNotContain("slow_down");
            assertThat(server.received.getFirst().header("accept")).isEqualTo("application/json");
        }
    }

    @Test
    void post_has_its_content_type_and_the_headers_of_its_target() throws Exception {
        try (RawServer server = RawServer.answering(request -> RawServer.json(200, "{}"));
                WebClient webClient = open()) {
            HttpTarget target = HttpTarget.of(server.uri()).withHeaders(Map.of("Authorization", "Basic eA=="));
            webClient.post(target, "application/x-www-form-urlencoded", "a=b".getBytes(UTF_8), within(ENOUGH));
            RawServer.Received request = server.received.getFirst();
            assertThat(request.method()).isEqualTo("POST");
            assertThat(request.header("content-type")).isEqualTo("application/x-www-form-urlencoded");
            assertThat(request.header("authorization")).isEqualTo("Basic eA==");
            assertThat(request.body()).isEqualTo("a=b");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void redirect_to_another_origin_is_not_followed(int status) throws Exception {
        try (RawServer elsewhere = RawServer.answering(request -> RawServer.json(200, "{}"));
                RawServer server =
                        RawServer.answering(request -> RawServer.json(status, "", "Location: " + elsewhere.uri()))) {
            assertThat(get(HttpTarget.of(server.uri())).status()).isEqualTo(status);
            assertThat(elsewhere.accepted).hasValue(0);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void too_large_body_is_refused_with_or_without_a_length(boolean hasLength) throws Exception {
        String body = " ".repeat(WebClient.MAX_BODY_BYTES + 1);
        String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
        try (RawServer server = RawServer.start(wire -> {
            wire.next();
            wire.write(hasLength ? RawServer.json(200, body) : head + "\r\n" + body);
        })) {
            CallFailure failure = failure(HttpTarget.of(server.uri()), ENOUGH);
            assertThat(failure.id()).isEqualTo(ErrorId.PROTOCOL_VIOLATION);
            assertThat(failure.message()).contains("more than 1048576 bytes");
        }
    }

    @Test
    void silent_server_is_a_timeout_with_unknown_delivery() throws Exception {
        try (RawServer server = RawServer.start(wire -> {
            wire.next();
            wire.next();
        })) {
            CallFailure failure = failure(HttpTarget.of(server.uri()), Duration.ofSeconds(2));
            assertThat(failure.id()).isEqualTo(ErrorId.CALL_TIMEOUT);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        }
    }

    @Test
    void dripping_body_ends_at_the_deadline() throws Exception {
        try (RawServer server = RawServer.start(wire -> {
            wire.next();
            wire.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n{");
            wire.next();
        })) {
            assertThat(failure(HttpTarget.of(server.uri()), Duration.ofSeconds(2)))
                    .returns(ErrorId.CALL_TIMEOUT, CallFailure::id)
                    .returns(Delivery.UNKNOWN, CallFailure::delivery);
        }
    }

    @Test
    void connection_reset_after_the_request_has_unknown_delivery() throws Exception {
        try (RawServer server = RawServer.start(RawServer.Wire::next)) {
            assertThat(failure(HttpTarget.of(server.uri()), ENOUGH).delivery()).isEqualTo(Delivery.UNKNOWN);
        }
    }

    @Test
    void refused_connection_is_not_sent() {
        HttpTarget nobody = HttpTarget.of(URI.create("http://127.0.0.1:1/"));
        assertThat(failure(nobody, ENOUGH).delivery()).isEqualTo(Delivery.NOT_SENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1/",
                "https://localhost/",
                "https://[::1]/",
                "https://10.1.2.3/",
                "https://169.254.169.254/latest/meta-data",
                "https://[fd00::1]/",
                "http://8.8.8.8/",
                "http://example.com/"
            })
    void foreign_private_or_plain_address_is_forbidden_and_not_sent(String url) {
        HttpTarget target = HttpTarget.of(URI.create(url)).asForeign();
        assertThat(target.isForbidden()).isTrue();
        assertThat(failure(target, ENOUGH))
                .returns(Delivery.NOT_SENT, CallFailure::delivery)
                .returns(FailureCategory.POLICY, CallFailure::category);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://8.8.8.8/", "https://example.com/", "https://[2606:4700::1]/"})
    void foreign_public_address_is_not_forbidden(String url) {
        assertThat(HttpTarget.of(URI.create(url)).asForeign().isForbidden()).isFalse();
        assertThat(HttpTarget.of(URI.create("http://127.0.0.1/")).isForbidden()).isFalse();
    }
}
