package dev.fusebox.gateway.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.Preset;
import dev.fusebox.breaker.TripRule.Consecutive;
import dev.fusebox.breaker.TripRule.SlidingWindow;
import dev.fusebox.breaker.TripRule.SlowCalls;
import dev.fusebox.breaker.TripRule.WindowOrStreak;
import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.RetryRules;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.gateway.upstream.ServerPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the keys of breakers and further attempts change, and who wins where several speak.
class BreakerRulesTest {
    private static BreakerPolicy policy(String breaker) {
        return Reads.server("\"command\":\"c\",\"breaker\":{" + breaker + "}")
                .rules()
                .breaker();
    }

    private static CallSettings rules(String ofFile, String ofServer) {
        return Reads.usable("{" + ofFile + "\"mcpServers\":{\"one\":{\"command\":\"c\"," + ofServer + "}}}")
                .servers()
                .getFirst()
                .rules();
    }

    @Test
    void every_key_of_a_breaker_changes_its_policy() {
        assertThat(policy("\"failureThreshold\":7").tripRule()).isEqualTo(new Consecutive(7));
        assertThat(policy("\"cooldownMs\":1000,\"cooldownGrowth\":3,\"maxCooldownMs\":9000,\"jitter\":0")
                        .cooldown())
                .isEqualTo(new Cooldown(Duration.ofSeconds(1), 3, Duration.ofSeconds(9), 0));
        assertThat(policy("\"halfOpenMaxCalls\":3,\"successesToClose\":2").halfOpen())
                .isEqualTo(new HalfOpen(3, 2));
        assertThat(policy("\"mode\":\"window\",\"windowMs\":1000,\"minimumCalls\":4,\"failureThreshold\":3,"
                                + "\"failureRate\":0.5,\"slowCallMs\":200,\"slowCallRate\":1")
                        .tripRule())
                .isEqualTo(
                        new SlidingWindow(Duration.ofSeconds(1), 4, 3, 0.5, new SlowCalls(Duration.ofMillis(200), 1)));
        assertThat(policy("\"mode\":\"window\",\"failureThreshold\":null,\"failureRate\":0.25")
                        .tripRule())
                .isEqualTo(SlidingWindow.ofRate(Duration.ofMinutes(5), 10, 0.25));
    }

    @Test
    void a_long_cooldown_that_says_nothing_of_the_longest_is_the_longest() {
        assertThat(policy("\"cooldownMs\":600000").cooldown()).isEqualTo(Cooldown.growing(Duration.ofMinutes(10)));
    }

    @ParameterizedTest
    @EnumSource(Preset.class)
    void a_preset_is_the_policy_of_the_library(Preset preset) {
        BreakerPolicy own =
                rules("", "\"breaker\":{\"preset\":\"" + preset + "\"}").breaker();
        BreakerPolicy ofFile = rules("\"breaker\":{\"preset\":\"" + preset + "\"},", "\"disabled\":false")
                .breaker();

        assertThat(own).isEqualTo(preset.policy());
        assertThat(ofFile).isEqualTo(preset.policy());
    }

    @Test
    void keys_win_over_the_preset() {
        BreakerPolicy policy = policy("\"preset\":\"fast-api\",\"failureThreshold\":2,\"cooldownMs\":90000");

        assertThat(policy.tripRule()).isEqualTo(SlidingWindow.of(Duration.ofMinutes(5), 10, 2));
        assertThat(policy.cooldown()).isEqualTo(Cooldown.fixed(Duration.ofSeconds(90)));
        assertThat(policy.halfOpen()).isEqualTo(new HalfOpen(2, 2));
    }

    @ParameterizedTest
    @CsvSource({
        "'','',5",
        "'\"breaker\":{\"preset\":\"openab\"},','',3",
        "'\"breaker\":{\"preset\":\"openab\"},','\"preset\":\"metamcp\"',5",
        "'\"breaker\":{\"preset\":\"openab\",\"failureThreshold\":8},','',8",
        "'\"pool\":{\"failureThreshold\":8},\"breaker\":{\"preset\":\"openab\"},','',8",
        "'\"pool\":{\"failureThreshold\":8},\"breaker\":{\"failureThreshold\":8},','',8",
        "'\"breaker\":{\"failureThreshold\":8},','\"preset\":\"openab\"',8",
        "'\"breaker\":{\"failureThreshold\":8},','\"failureThreshold\":9',9",
        "'\"pool\":{\"failureThreshold\":8},','\"preset\":\"openab\",\"failureThreshold\":9',9"
    })
    void server_goes_before_file_before_preset(String ofFile, String ofServer, int failures) {
        assertThat(rules(ofFile, "\"breaker\":{" + ofServer + "}").breaker().tripRule())
                .isEqualTo(new Consecutive(failures));
    }

    @Test
    void flags_go_before_all() {
        byte[] text =
                "{\"mcpServers\":{\"one\":{\"command\":\"c\",\"breaker\":{\"failureThreshold\":9}}}}".getBytes(UTF_8);
        Overrides flags = Overrides.NONE.with("--failure-threshold", "2").with("--cooldown", "1000");

        Configuration read = Reads.usable(new FileReader(Path.of("f.json"), Map.of(), flags).read(text));

        BreakerPolicy policy = read.servers().getFirst().rules().breaker();
        assertThat(policy.tripRule()).isEqualTo(new Consecutive(2));
        assertThat(policy.cooldown().base()).hasMillis(1000);
    }

    @Test
    void pool_may_say_the_cooldown_too() {
        assertThat(rules("\"pool\":{\"cooldownMs\":1000},", "\"disabled\":false")
                        .breaker()
                        .cooldown()
                        .base())
                .hasMillis(1000);
    }

    @ParameterizedTest
    @CsvSource({
        "'',,60000",
        "'',25000,25000",
        "'\"breaker\":{\"preset\":\"metamcp\"},',25000,25000",
        "'\"breaker\":{\"preset\":\"database\"},',25000,30000",
        "'\"timeoutMs\":70000,\"breaker\":{\"preset\":\"database\"},',25000,70000"
    })
    void the_time_for_a_call_is_the_servers_or_the_presets_or_the_environments(
            String members, String environment, long millis) {
        Map<String, String> variables =
                environment == null ? Map.of() : Map.of("FUSEBOX_OPERATION_TIMEOUT", environment);
        byte[] text = ("{\"mcpServers\":{\"one\":{" + members + "\"command\":\"c\"}}}").getBytes(UTF_8);

        ServerConfig server =
                Reads.usable(Reads.read(text, variables)).servers().getFirst();

        assertThat(server.times().call()).hasMillis(millis);
        assertThat(server.rules().breaker().callTimeout()).hasMillis(millis);
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
    void every_key_of_a_tool_breaker_changes_its_rules() {
        ToolBreakerRules rules = rules(
                        "\"toolBreaker\":{\"cooldownMs\":1000,\"halfOpenMaxCalls\":2,\"enabled\":false},",
                        "\"toolBreaker\":{\"timeoutThreshold\":2,\"minimumCalls\":3,\"windowMs\":1000,"
                                + "\"failureRate\":0.4,\"crashThreshold\":4,"
                                + "\"cooldownGrowth\":3,\"maxCooldownMs\":9000,"
                                + "\"countToolErrors\":true,\"enabled\":true}")
                .toolBreaker();

        assertThat(rules.isEnabled()).isTrue();
        assertThat(rules.countsToolErrors()).isTrue();
        assertThat(rules.policy().tripRule())
                .isEqualTo(new WindowOrStreak(
                        SlidingWindow.ofRate(Duration.ofSeconds(1), 3, 0.4),
                        Map.of("timeout", 2, "error", 2, "stdio-exit", 4),
                        Map.of("stdio-exit", 6)));
        assertThat(rules.crashThreshold()).isEqualTo(4);
        assertThat(rules.policy().cooldown())
                .isEqualTo(new Cooldown(Duration.ofSeconds(1), 3, Duration.ofSeconds(9), 0.1));
        assertThat(rules.policy().halfOpen()).isEqualTo(new HalfOpen(2, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"metamcp", "openab"})
    void presets_whose_sources_know_no_tools_count_every_crash_for_the_server(String preset) {
        ToolBreakerRules rules =
                rules("", "\"breaker\":{\"preset\":\"" + preset + "\"}").toolBreaker();

        assertThat(rules.crashThreshold()).isZero();
        assertThat(rules.policy().tripRule())
                .isEqualTo(new WindowOrStreak(
                        SlidingWindow.ofRate(Duration.ofMinutes(5), 5, 0.5), Map.of("timeout", 5, "error", 5)));
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
                        RetrySafety.NEVER, 5, List.of(Duration.ofMillis(10)), 0, Map.of("search", RetrySafety.ALWAYS)));
        assertThat(rules.of("search")).isEqualTo(RetrySafety.ALWAYS);
        assertThat(rules.of("write")).isEqualTo(RetrySafety.NEVER);
    }

    @Test
    void the_pipeline_of_a_server_keeps_to_what_the_file_says() {
        Configuration file = Reads.usable("{\"pool\":{\"callsAtOnce\":2,\"callQueueLength\":3,\"maxInFlightBytes\":4},"
                + "\"recovery\":{\"pingTimeoutMs\":5},\"mcpServers\":{\"a b\":{\"command\":\"c\","
                + "\"criticality\":\"vital\",\"timeoutMs\":60001,\"toolBreaker\":{\"countToolErrors\":true},"
                + "\"retry\":{\"maxAttempts\":7,\"budgetRatio\":0.3},\"breaker\":{\"failureThreshold\":6}}}}");
        ServerConfig server = file.servers().getFirst();

        PipelineRules rules = file.rules(server);

        assertThat(rules.server()).isEqualTo("a-b");
        assertThat(rules.breaker()).isEqualTo(server.rules().breaker());
        assertThat(rules.breaker().tripRule()).isEqualTo(new Consecutive(6));
        assertThat(rules.tools())
                .isEqualTo(new PipelineRules.Tools(
                        true, server.rules().toolBreaker().policy(), true));
        assertThat(rules.limits()).isEqualTo(new FairBulkhead.Limits(2, 3, 4));
        assertThat(rules.ping()).hasMillis(5);
        assertThat(rules.retry())
                .isEqualTo(RetryRules.of(7, server.rules().retry().backoff(), 0.3, false)
                        .forVital(true));
    }

    @Test
    void a_server_that_says_nothing_has_the_usual_pipeline() {
        Configuration process = Reads.usable("{\"servers\":{\"one\":{\"command\":\"c\"}}}");
        Configuration remote = Reads.usable("{\"servers\":{\"one\":{\"url\":\"http://h/\"}}}");

        assertThat(process.rules(process.servers().getFirst())).isEqualTo(PipelineRules.of("one", false));
        assertThat(remote.rules(remote.servers().getFirst())).isEqualTo(PipelineRules.of("one", true));
    }

    @Test
    void among_other_servers_calls_keep_to_what_the_file_says() {
        ServerPolicy rules = Reads.server("\"command\":\"c\",\"timeoutMs\":20000,\"retry\":{\"replay\":\"never\"},"
                        + "\"replay\":{\"get\":\"always\"},"
                        + "\"tools\":{\"exclude\":[\"a*\"],\"rename\":{\"get\":\"fetch\"}}")
                .policy();

        assertThat(rules.timeout()).hasSeconds(20);
        assertThat(rules.filter().lets("get")).isTrue();
        assertThat(rules.filter().lets("admin")).isFalse();
        assertThat(rules.toolRenaming().shown("get")).isEqualTo("fetch");
        assertThat(rules.retrySafety()).isEqualTo(RetrySafety.NEVER);
        assertThat(rules.toolRetrySafety()).isEqualTo(Map.of("get", RetrySafety.ALWAYS));
    }
}
