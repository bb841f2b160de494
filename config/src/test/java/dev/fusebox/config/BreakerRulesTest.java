package dev.fusebox.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What the sections `breaker`, `toolBreaker` and `retry` change, and which of several values wins.
class BreakerRulesTest {
    private static CallSettings rules(String ofFile, String ofServer) {
        return Reads.usable("{" + ofFile + "\"mcpServers\":{\"one\":{\"command\":\"c\"," + ofServer + "}}}")
                .servers()
                .getFirst()
                .rules();
    }

    @Test
    void flags_go_before_all() {
        byte[] text =
                "{\"mcpServers\":{\"one\":{\"command\":\"c\",\"breaker\":{\"failureThreshold\":9}}}}".getBytes(UTF_8);
        Overrides flags = Overrides.NONE.with("--failure-threshold", "2").with("--cooldown", "1000");

        Configuration read =
                Reads.usable(new FileReader(new HostEnvironment(Map.of()), Path.of("f.json"), flags).read(text));

        BreakerConfig breaker = read.servers().getFirst().rules().breaker();
        assertThat(breaker.failureThreshold()).isEqualTo(2);
        assertThat(breaker.cooldown().base()).hasMillis(1000);
    }

    @Test
    void an_environment_that_names_no_time_is_refused_without_its_value() {
        byte[] text = "{\"mcpServers\":{\"one\":{\"command\":\"c\"}}}".getBytes(UTF_8);

        ReadResult readResult = Reads.read(text, Map.of("FUSEBOX_OPERATION_TIMEOUT", "s3cr3t"));

        assertThat(readResult.lines())
                .containsExactly("f.json: the configuration cannot be read: the environment variable"
                        + " FUSEBOX_OPERATION_TIMEOUT is not a whole number from 1 to 31536000000");
        assertThat(readResult).isInstanceOf(ReadResult.Refused.class);
    }

    @Test
    void a_longest_cooldown_of_tools_that_is_shorter_than_the_first_is_refused() {
        byte[] text = "{\"toolBreaker\":{\"maxCooldownMs\":1000},\"mcpServers\":{\"one\":{\"command\":\"c\"}}}"
                .getBytes(UTF_8);

        assertThat(Reads.read(text).lines())
                .anyMatch(line -> line.contains("makes maxCooldownMs, 1000, shorter than cooldownMs, 30000"));
    }

    @Test
    void every_key_of_retry_changes_its_rules() {
        RetryConfig rules = rules(
                        "\"retry\":{\"maxAttempts\":5,\"backoffMs\":[10],\"replay\":\"always\"},",
                        "\"retry\":{\"replay\":\"never\",\"budgetRatio\":0},\"replay\":{\"search\":\"always\"}")
                .retry();

        assertThat(rules)
                .isEqualTo(new RetryConfig(
                        Replay.NEVER, 5, List.of(Duration.ofMillis(10)), 0, Map.of("search", Replay.ALWAYS)));
    }

    @Test
    void null_threshold_is_refused_where_nothing_else_trips_the_breaker() {
        assertThat(Reads.verdict("{\"mcpServers\":{\"one\":{\"command\":\"c\",\"breaker\":{\"mode\":\"window\","
                        + "\"failureThreshold\":null}}}}"))
                .containsExactly(
                        "f.json:1:64: /mcpServers/one/breaker/failureThreshold is null, so the breaker would"
                                + " never trip; a window needs failureThreshold, failureRate, or slowCallMs and"
                                + " slowCallRate",
                        "usable: one faulty");
    }
}
