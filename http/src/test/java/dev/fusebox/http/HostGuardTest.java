package dev.fusebox.http;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the allowed hosts and origins.
class HostGuardTest {
    private static final SocketAddress BOUND = InetSocketAddress.createUnresolved("127.0.0.1", 3000);
    private static final HttpSettings SETTINGS = HttpSettings.loopback(0)
            .withPublicUrl(URI.create("https://Gateway.example/path"))
            .withAllowedOrigins(Set.of("https://app.example", "http://localhost:6274"));

    private static void check(String host, String... more) throws RequestRejected {
        HostGuard.of(SETTINGS, BOUND).check(headers(host, more));
    }

    private static HttpHeaders headers(String host, String... more) {
        HttpHeaders headers = HttpHeaders.of("Host", host);
        for (String origin : more) {
            headers = headers.with("Origin", origin);
        }
        return headers;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:3000",
                "LocalHost:3000",
                "127.0.0.1:3000",
                "[::1]:3000",
                "gateway.example",
                "GATEWAY.example:443"
            })
    void own_hosts_are_allowed(String host) {
        assertThatCode(() -> check(host)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "localhost:3001",
                "localhost:03000",
                "localhost:3000.",
                "localhost.:3000",
                "localhost.evil.example:3000",
                "evil.example",
                "evil.example:3000",
                "user@localhost:3000",
                "localhost:3000/",
                "localhost:3000, evil.example",
                "127.0.0.1",
                "127.1:3000",
                "2130706433:3000",
                "0x7f.0.0.1:3000",
                "0.0.0.0:3000",
                "[::]:3000",
                "[::ffff:127.0.0.1]:3000",
                "[0:0:0:0:0:0:0:1]:3000",
                "::1:3000",
                "gateway.example:80",
                "gateway.example.",
                ":3000",
                ""
            })
    void every_other_host_is_rejected(String host) {
        assertThatThrownBy(() -> check(host)).isInstanceOf(RequestRejected.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost:3000",
                "http://127.0.0.1:3000",
                "http://[::1]:3000",
                "https://gateway.example",
                "https://app.example",
                "http://localhost:6274"
            })
    void own_and_configured_origins_are_allowed(String origin) {
        assertThatCode(() -> check("localhost:3000", origin)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "",
                "http://localhost",
                "http://localhost:3001",
                "https://localhost:3000",
                "http://localhost:3000/",
                "http://localhost:3000.evil.example",
                "http://localhost.evil.example:3000",
                "http://evil.example",
                "http://user@localhost:3000",
                "http://localhost.:3000",
                "HTTP://LOCALHOST:3000",
                "http://[::1]:1",
                "http://[::ffff:127.0.0.1]:3000",
                "http://127.1:3000",
                "file://",
                "localhost:3000",
                "http://app.example",
                "https://app.example:443",
                "https://sub.app.example",
                "http://localhost:3000 http://evil.example"
            })
    void every_other_origin_is_rejected(String origin) {
        assertThatThrownBy(() -> check("localhost:3000", origin)).isInstanceOf(RequestRejected.class);
    }

    @Test
    void host_may_omit_port_80() {
        var guard = HostGuard.of(HttpSettings.loopback(80), InetSocketAddress.createUnresolved("127.0.0.1", 80));

        assertThatCode(() -> guard.check(headers("localhost", "http://localhost")))
                .doesNotThrowAnyException();
        assertThatCode(() -> guard.check(headers("localhost:80", "http://localhost:80")))
                .doesNotThrowAnyException();
    }

    @Test
    void host_of_a_unix_socket_has_no_port() {
        var guard = HostGuard.of(HttpSettings.loopback(0), UnixDomainSocketAddress.of("socket"));

        assertThatCode(() -> guard.check(headers("localhost"))).doesNotThrowAnyException();
        assertThatThrownBy(() -> guard.check(headers("evil.example"))).isInstanceOf(RequestRejected.class);
    }

    @Test
    void public_url_without_a_host_is_rejected() {
        HttpSettings settings = HttpSettings.loopback(0);

        assertThatThrownBy(() -> settings.withPublicUrl(URI.create("gateway.example")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
