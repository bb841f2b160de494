package dev.fusebox.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.Security;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Host names that are unknown, not known yet, or not resolved in time.
@Timeout(120)
class NamesTest {
    private static final String DONE = "{\"content\":[]}";
    private static final String ECHO = "{\"name\":\"echo\"}";
    private static final Duration SHORT = Duration.ofSeconds(1);

    // ---- F46

    private static RecordingClient client(DnsResolver.Lookup lookup, URI uri, Duration connectTimeout) {
        OutboundHttpClient outboundHttpClient = OutboundHttpClient.with(
                Platform.system(), OutboundSettings.defaults().withConnectTimeout(connectTimeout), lookup);
        return new RecordingClient(outboundHttpClient, HttpTarget.of(uri));
    }

    @Test
    void f46_unknown_name_is_offline_until_it_exists() throws IOException {
        AtomicBoolean exists = new AtomicBoolean();
        DnsResolver.Lookup lookup = host -> {
            if (!exists.get()) {
                throw new UnknownHostException(host);
            }
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
        };
        try (RawServer server = RawServer.answering(request -> RawServer.json(200, request.result(DONE)));
                RecordingClient client = client(
                        lookup, URI.create("http://tools.test:" + server.port() + "/mcp"), RecordingClient.LONG)) {
            CallFailure failure = client.failure("tools/call", ECHO);
            exists.set(true);

            assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(client.answer("tools/call", ECHO)).contains(DONE);
            assertThat(server.received.getFirst().header("host")).isEqualTo("tools.test:" + server.port());
        }
    }

    @Test
    void f101_lookup_with_an_internal_error_is_local_and_repeated() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        DnsResolver.Lookup lookup = host -> {
            if (asked.getAndIncrement() < 2) {
                throw new OutOfMemoryError("for a test");
            }
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
        };
        try (RawServer server = RawServer.answering(request -> RawServer.json(200, request.result(DONE)));
                RecordingClient client = client(
                        lookup, URI.create("http://tools.test:" + server.port() + "/mcp"), RecordingClient.LONG)) {
            for (int i = 0; i < 2; i++) {
                CallFailure failure = client.failure("tools/call", ECHO);
                assertThat(failure.category()).isEqualTo(FailureCategory.LOCAL);
                assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            }
            assertThat(client.answer("tools/call", ECHO)).contains(DONE);
        }
    }

    @Test
    void f46_hanging_name_service_costs_the_connect_timeout_and_one_thread() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        DnsResolver.Lookup lookup = host -> {
            if (host.equals("healthy.test")) {
                return new InetAddress[] {InetAddress.getLoopbackAddress()};
            }
            asked.incrementAndGet();
            awaitUninterrupted(hangs);
            throw new UnknownHostException(host);
        };
        try (RawServer server = RawServer.answering(request -> RawServer.json(200, request.result(DONE)));
                RecordingClient client = client(lookup, URI.create("http://hangs.test/mcp"), SHORT);
                RecordingClient healthy = new RecordingClient(
                        client.outboundHttpClient,
                        HttpTarget.of(URI.create("http://healthy.test:" + server.port() + "/mcp")))) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.failure("tools/call", ECHO).category()).isEqualTo(FailureCategory.OFFLINE);
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
    void f46_jdk_caches_failed_lookups_for_three_seconds() {
        AtomicReference<String> remembered = new AtomicReference<>("not asked");
        DnsResolver.Lookup lookup = host -> {
            remembered.set(Security.getProperty("networkaddress.cache.negative.ttl"));
            throw new UnknownHostException(host);
        };
        try (RecordingClient client = client(lookup, URI.create("http://gone.test:9/mcp"), RecordingClient.LONG)) {
            assertThat(client.failure("tools/call", ECHO).category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(remembered).hasValue("3");
        }
    }

    @Test
    void f46_first_reachable_address_of_several_is_used() throws IOException {
        DnsResolver.Lookup lookup =
                host -> new InetAddress[] {InetAddress.ofLiteral("127.0.0.77"), InetAddress.getLoopbackAddress()};
        try (RawServer server = RawServer.answering(request -> RawServer.json(200, request.result(DONE)));
                RecordingClient client =
                        client(lookup, URI.create("http://two.test:" + server.port() + "/mcp"), RecordingClient.LONG)) {
            assertThat(client.answer("tools/call", ECHO)).contains(DONE);
        }
    }
}
