package dev.fusebox.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the keys change that hold for the whole gateway, and the options above them.
class GatewayConfigTest {
    @Test
    void every_key_of_the_pool_changes_it() {
        assertThat(Reads.with("\"pool\":{\"callsAtOnce\":1,\"callQueueLength\":0,\"maxInFlightBytes\":3,"
                                + "\"startsAtOnce\":4,\"drainMs\":0}")
                        .pool())
                .isEqualTo(
                        new PoolConfig(1, 0, 3, 4, Duration.ZERO, PoolRules.USUAL, 0, PoolRules.USUAL.withSize(1_000)));
    }

    @Test
    void every_key_of_the_pool_of_connections_changes_it() {
        PoolConfig pool = Reads.with(
                        "\"pool\":{\"poolSize\":3,\"resPoolSize\":2,\"minPoolSize\":1,\"resPoolTimeout\":4,"
                                + "\"idleTimeoutMs\":5,\"queueTimeoutMs\":6,\"queueLength\":7,\"maxRemoteSessions\":8}")
                .pool();
        PoolRules.Waiting waiting = new PoolRules.Waiting(7, Duration.ofMillis(6));
        assertThat(pool.processes())
                .isEqualTo(new PoolRules(
                        3,
                        new PoolRules.Reserve(2, Duration.ofMillis(4)),
                        new PoolRules.IdleRules(1, Duration.ofMillis(5)),
                        waiting));
        assertThat(pool.remotes())
                .isEqualTo(new PoolRules(
                        8,
                        new PoolRules.Reserve(0, Duration.ofMillis(4)),
                        new PoolRules.IdleRules(0, Duration.ofMillis(5)),
                        waiting));
    }

    @ParameterizedTest
    @CsvSource({"0,20", "4,20", "5,20", "6,24", "24,96", "1000000,10000"})
    void pool_without_a_size_has_four_places_for_each_gibibyte_of_memory_and_at_least_20(long gibibytes, int places) {
        byte[] text = "{\"servers\":{\"s\":{\"command\":\"c\"}},\"pool\":{\"poolSize\":null}}".getBytes(UTF_8);
        long memory = gibibytes << 30;
        for (long bytes : List.of(memory, Math.max(0, memory - (400 << 20)))) {
            FileReader reader = new FileReader(new HostEnvironment(Map.of(), bytes), Path.of("f.json"), Overrides.NONE);
            assertThat(Reads.usable(reader.read(text)).pool().processes().size())
                    .isEqualTo(places);
        }
    }

    @Test
    void lifecycle_without_a_mode_sets_the_idle_timeout_of_session_processes() {
        assertThat(Reads.server("\"command\":\"c\",\"lifecycle\":{\"idleTimeoutMs\":7}")
                        .presence()
                        .idlePolicy())
                .isEqualTo(new IdlePolicy.Usual(Duration.ofMillis(7)));
    }

    @Test
    void every_key_of_the_limits_changes_them() {
        assertThat(Reads.with("\"limits\":{\"frameBytes\":1024,\"depth\":8,\"toolPages\":3,\"clientWriteMs\":4,"
                                + "\"clientWaitMs\":5,\"stuckWriteMs\":6,\"eraProbeMs\":7}")
                        .limits())
                .isEqualTo(new LimitConfig(
                        1024,
                        8,
                        3,
                        Duration.ofMillis(4),
                        Duration.ofMillis(5),
                        Duration.ofMillis(6),
                        Duration.ofMillis(7)));
    }

    @Test
    void every_key_of_http_changes_the_front() {
        Configuration file = Reads.with("\"http\":{\"host\":\"::1\",\"port\":0,\"allowedOrigins\":[\"https://a.b:1\"],"
                + "\"otherUsers\":\"allow\","
                + "\"maxBodyBytes\":2,\"sessionIdleMs\":3,\"maxSessions\":4,\"maxConnections\":5,"
                + "\"headerTimeoutMs\":6},\"limits\":{\"clientWriteMs\":7}");

        assertThat(file.http().host()).isEqualTo(InetAddress.ofLiteral("::1"));
        assertThat(file.http().port()).isZero();
        assertThat(file.http().allowedOrigins()).containsExactly("https://a.b:1");
        assertThat(file.http().allowsOtherUsers()).isTrue();
        assertThat(file.http().intake()).isEqualTo(new HttpConfig.Intake(2, 5, Duration.ofMillis(6)));
        assertThat(file.limits().clientWrite()).hasMillis(7);
        assertThat(file.http().sessions()).isEqualTo(new SessionBounds(4, Duration.ofMillis(3)));
    }

    @Test
    void other_keys_change_what_they_name() {
        Configuration file = Reads.with("\"recovery\":{\"pingTimeoutMs\":9},\"telemetry\":{\"logLevel\":\"debug\"}");

        assertThat(file.gateway().life().polls().limit()).hasMillis(9);
        assertThat(file.gateway().logLevel()).isEqualTo(LogLevel.DEBUG);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.9.9.9", "::1", "localhost"})
    void addresses_of_this_machine_may_be_listened_on(String host) {
        assertThat(Reads.with("\"http\":{\"host\":\"" + host + "\"}")
                        .http()
                        .host()
                        .isLoopbackAddress())
                .isTrue();
    }

    @Test
    void options_win_over_the_file() {
        byte[] text = "{\"mcpServers\":{},\"http\":{\"host\":\"::1\",\"port\":1}}".getBytes(UTF_8);
        Overrides flags = Overrides.NONE.with("--port", "2").with("--expose", "proxy");

        Configuration read =
                Reads.usable(new FileReader(new HostEnvironment(Map.of()), Path.of("f.json"), flags).read(text));

        assertThat(read.http().host()).isEqualTo(InetAddress.ofLiteral("::1"));
        assertThat(read.http().port()).isEqualTo(2);
        assertThat(read.expose()).isEqualTo(Expose.PROXY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--port | 65536 | is not a whole number from 0 to 65535",
                "--port | -1 | is not a whole number from 0 to 65535",
                "--port | 080 | is not a whole number from 0 to 65535",
                "--port | '' | is not a whole number from 0 to 65535",
                "--port | 1.5 | is not a whole number from 0 to 65535",
                "--port | 99999999999999999999999 | is not a whole number from 0 to 65535",
                "--host | gateway.example | is not an address; it must be 127.0.0.1, ::1 or localhost",
                "--expose | prxy | is \"prxy\"; it must be meta, proxy or both",
                "--failure-threshold | 0 | is not a whole number from 1 to 1000000",
                "--cooldown | 30s | is not a whole number from 1 to 31536000000"
            })
    void bad_values_of_options_are_refused_as_those_of_keys(String option, String value, String complaint) {
        assertThat(Overrides.complaint(option, value)).contains(complaint);
    }
}
