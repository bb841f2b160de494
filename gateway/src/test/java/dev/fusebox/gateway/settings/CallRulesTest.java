package dev.fusebox.gateway.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.Preset;
import dev.fusebox.breaker.TripRule.Consecutive;
import dev.fusebox.breaker.TripRule.SlidingWindow;
import dev.fusebox.breaker.TripRule.SlowCalls;
import dev.fusebox.breaker.TripRule.WindowOrStreak;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundRoute;
import dev.fusebox.client.http.ProxyRules;
import dev.fusebox.client.process.ChildLimits;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.RetryRules;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.http.HttpLimits;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.http.HttpTimes;
import dev.fusebox.http.OtherUsersPolicy;
import dev.fusebox.protocol.http.HttpProxy;
import dev.fusebox.sandbox.SandboxLimits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a configuration makes of the rules of the runtime.
class CallRulesTest {
    private static BreakerPolicy policy(String breaker) {
        return BreakerPolicies.ofServer(Configs.server("\"command\":\"c\",\"breaker\":{" + breaker + "}"));
    }

    private static ServerConfig server(String ofFile, String ofServer) {
        return Configs.usable("{" + ofFile + "\"mcpServers\":{\"one\":{\"command\":\"c\"," + ofServer + "}}}")
                .servers()
                .getFirst();
    }

    private static PipelineRules.Tools tools(String ofFile, String ofServer) {
        return BreakerPolicies.ofTools(server(ofFile, ofServer));
    }

    private static BreakerPolicy breaker(String ofFile, String ofServer) {
        return BreakerPolicies.ofServer(server(ofFile, ofServer));
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
    void long_cooldown_without_maximum_is_its_own_maximum() {
        assertThat(policy("\"cooldownMs\":600000").cooldown()).isEqualTo(Cooldown.growing(Duration.ofMinutes(10)));
    }

    @ParameterizedTest
    @EnumSource(Preset.class)
    void a_preset_is_the_policy_of_the_library(Preset preset) {
        BreakerPolicy own = breaker("", "\"breaker\":{\"preset\":\"" + preset + "\"}");
        BreakerPolicy ofFile = breaker("\"breaker\":{\"preset\":\"" + preset + "\"},", "\"disabled\":false");

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
        assertThat(breaker(ofFile, "\"breaker\":{" + ofServer + "}").tripRule()).isEqualTo(new Consecutive(failures));
    }

    @Test
    void cooldown_may_be_set_in_the_pool_section() {
        assertThat(breaker("\"pool\":{\"cooldownMs\":1000},", "\"disabled\":false")
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
        String text = "{\"mcpServers\":{\"one\":{" + members + "\"command\":\"c\"}}}";

        ServerConfig server =
                Configs.usable(Configs.read(text, variables)).servers().getFirst();

        assertThat(server.times().call()).hasMillis(millis);
        assertThat(BreakerPolicies.ofServer(server).callTimeout()).hasMillis(millis);
    }

    @Test
    void every_key_of_a_tool_breaker_changes_its_rules() {
        PipelineRules.Tools rules = tools(
                "\"toolBreaker\":{\"cooldownMs\":1000,\"halfOpenMaxCalls\":2,\"enabled\":false},",
                "\"toolBreaker\":{\"timeoutThreshold\":2,\"minimumCalls\":3,\"windowMs\":1000,"
                        + "\"failureRate\":0.4,\"crashThreshold\":4,"
                        + "\"cooldownGrowth\":3,\"maxCooldownMs\":9000,"
                        + "\"countToolErrors\":true,\"enabled\":true}");

        assertThat(rules.enabled()).isTrue();
        assertThat(rules.countErrors()).isTrue();
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
    void presets_without_tool_breakers_count_every_crash_for_the_server(String preset) {
        PipelineRules.Tools rules = tools("", "\"breaker\":{\"preset\":\"" + preset + "\"}");

        assertThat(rules.crashThreshold()).isZero();
        assertThat(rules.policy().tripRule())
                .isEqualTo(new WindowOrStreak(
                        SlidingWindow.ofRate(Duration.ofMinutes(5), 5, 0.5), Map.of("timeout", 5, "error", 5)));
    }

    @Test
    void pipeline_of_a_server_has_the_settings_of_the_file() {
        Configuration file =
                Configs.usable("{\"pool\":{\"callsAtOnce\":2,\"callQueueLength\":3,\"maxInFlightBytes\":4},"
                        + "\"recovery\":{\"pingTimeoutMs\":5},\"mcpServers\":{\"a b\":{\"command\":\"c\","
                        + "\"criticality\":\"vital\",\"timeoutMs\":60001,\"toolBreaker\":{\"countToolErrors\":true},"
                        + "\"retry\":{\"maxAttempts\":7,\"budgetRatio\":0.3},\"breaker\":{\"failureThreshold\":6}}}}");
        ServerConfig server = file.servers().getFirst();

        PipelineRules rules = CallRules.pipeline(file, server);

        assertThat(rules.server()).isEqualTo("a-b");
        assertThat(rules.breaker()).isEqualTo(BreakerPolicies.ofServer(server));
        assertThat(rules.breaker().tripRule()).isEqualTo(new Consecutive(6));
        assertThat(rules.tools())
                .isEqualTo(new PipelineRules.Tools(
                        true, BreakerPolicies.ofTools(server).policy(), true));
        assertThat(rules.limits()).isEqualTo(new FairBulkhead.Limits(2, 3, 4));
        assertThat(rules.ping()).hasMillis(5);
        assertThat(rules.retry())
                .isEqualTo(RetryRules.of(7, server.rules().retry().backoff(), 0.3, false)
                        .forVital(true));
    }

    @Test
    void server_without_settings_has_the_default_pipeline() {
        Configuration process = Configs.usable("{\"servers\":{\"one\":{\"command\":\"c\"}}}");
        Configuration remote = Configs.usable("{\"servers\":{\"one\":{\"url\":\"http://h/\"}}}");

        assertThat(CallRules.pipeline(process, process.servers().getFirst())).isEqualTo(PipelineRules.of("one", false));
        assertThat(CallRules.pipeline(remote, remote.servers().getFirst())).isEqualTo(PipelineRules.of("one", true));
    }

    @Test
    void pipeline_settings_apply_with_several_servers() {
        ServerPolicy rules = CallRules.policy(
                Configs.server("\"command\":\"c\",\"timeoutMs\":20000,\"retry\":{\"replay\":\"never\"},"
                        + "\"replay\":{\"get\":\"always\"},"
                        + "\"tools\":{\"exclude\":[\"a*\"],\"rename\":{\"get\":\"fetch\"}}"));

        assertThat(rules.timeout()).hasSeconds(20);
        assertThat(rules.filter().lets("get")).isTrue();
        assertThat(rules.filter().lets("admin")).isFalse();
        assertThat(rules.toolRenaming().shown("get")).isEqualTo("fetch");
        assertThat(rules.retrySafety()).isEqualTo(RetrySafety.NEVER);
        assertThat(rules.toolRetrySafety()).isEqualTo(Map.of("get", RetrySafety.ALWAYS));
    }

    @Test
    void usual_values_are_those_of_the_runtime() {
        Configuration process = Configs.usable("{\"mcpServers\":{\"one\":{\"command\":\"c\"}}}");
        ServerConfig server = process.servers().getFirst();

        assertThat(BreakerPolicies.ofServer(server)).isEqualTo(BreakerPolicy.defaults());
        assertThat(BreakerPolicies.ofTools(server)).isEqualTo(PipelineRules.Tools.USUAL);
        assertThat(FrontSettings.of(process).limits()).isEqualTo(HttpLimits.defaults());
        assertThat(FrontSettings.of(process).times()).isEqualTo(HttpTimes.defaults());
        assertThat(ScriptSettings.of(process.execute())).isEqualTo(SandboxLimits.defaults());
        assertThat(Endpoints.childSpec(process("\"command\":\"c\""), process.limits()))
                .isEqualTo(ChildSpec.of("c"));
        assertThat(Endpoints.target(remote("\"url\":\"https://h/\"")))
                .isEqualTo(HttpTarget.of(URI.create("https://h/")));
    }

    private static ServerEndpoint.Stdio process(String members) {
        return switch (Configs.server(members).state()) {
            case ServerState.Ready(ServerEndpoint.Stdio process) -> process;
            case ServerState other -> throw new AssertionError(other);
        };
    }

    private static ServerEndpoint.Remote remote(String members) {
        return switch (Configs.server(members).state()) {
            case ServerState.Ready(ServerEndpoint.Http(var remote)) -> remote;
            case ServerState other -> throw new AssertionError(other);
        };
    }

    @Test
    void limits_of_the_file_apply_to_processes() {
        Configuration file = Configs.usable("{\"mcpServers\":{\"one\":{\"command\":\"c\"}},"
                + "\"limits\":{\"frameBytes\":268435456,\"stuckWriteMs\":7,\"depth\":8}}");

        ChildLimits limits =
                Endpoints.childSpec(process("\"command\":\"c\""), file.limits()).limits();

        assertThat(limits.frameBytes()).isEqualTo(268_435_456);
        assertThat(limits.stuckWrite()).hasMillis(7);
        assertThat(limits.maxDepth()).isEqualTo(8);
    }

    @Test
    void proxy_of_a_server_is_the_proxy_of_its_target() {
        assertThat(Endpoints.target(remote("\"url\":\"http://h/\"")).route()).isEqualTo(OutboundRoute.DEFAULT);
        assertThat(Endpoints.target(remote("\"url\":\"http://h/\",\"proxy\":\"none\""))
                        .route())
                .isEqualTo(OutboundRoute.DEFAULT.through(ProxyRules.NONE));
        assertThat(Endpoints.target(remote("\"url\":\"http://h/\",\"proxy\":\"http://p:3128\""))
                        .route())
                .isEqualTo(OutboundRoute.DEFAULT.through(ProxyRules.always(HttpProxy.parse("http://p:3128"))));
    }

    @Test
    void section_http_of_the_file_is_the_settings_of_the_http_server() {
        HttpSettings settings =
                FrontSettings.of(Configs.usable("{\"mcpServers\":{},\"http\":{\"host\":\"::1\",\"port\":0,"
                        + "\"allowedOrigins\":[\"https://a.b:1\"],\"otherUsers\":\"allow\",\"maxBodyBytes\":2,"
                        + "\"maxConnections\":5,\"headerTimeoutMs\":6},\"limits\":{\"clientWriteMs\":7}}"));

        assertThat(settings.address()).isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("::1"), 0));
        assertThat(settings.allowedOrigins()).containsExactly("https://a.b:1");
        assertThat(settings.otherUsersPolicy()).isEqualTo(OtherUsersPolicy.ALLOW);
        assertThat(settings.limits().maxBodyBytes()).isEqualTo(2);
        assertThat(settings.limits().maxConnections()).isEqualTo(5);
        assertThat(settings.times().head()).hasMillis(6);
        assertThat(settings.times().clientWrite()).hasMillis(7);
    }
}
