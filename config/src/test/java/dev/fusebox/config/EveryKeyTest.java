package dev.fusebox.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Every key of the table changes the configuration: none is read and then forgotten.
class EveryKeyTest {
    /// A key with a value that is not its usual one, and what must stand beside it to have a meaning.
    ///
    /// @param where the place, a dot, the name of the key
    private record Change(String where, String value, String beside) {}

    private static final String WINDOW = "\"mode\":\"window\",";

    private static final List<Change> CHANGES = List.of(
            new Change("file.mcpServers", "{\"two\":{\"command\":\"c\"}}", ""),
            new Change("file.expose", "\"proxy\"", ""),
            new Change("file.pin", "[\"one/a\"]", ""),
            new Change("file.breaker", "{\"failureThreshold\":2}", ""),
            new Change("file.toolBreaker", "{\"enabled\":false}", ""),
            new Change("file.retry", "{\"maxAttempts\":1}", ""),
            new Change("file.pool", "{\"callsAtOnce\":1}", ""),
            new Change("file.recovery", "{\"pingTimeoutMs\":1}", ""),
            new Change("file.http", "{\"port\":1}", ""),
            new Change("file.limits", "{\"depth\":9}", ""),
            new Change("file.arguments", "{\"nulls\":\"strict\"}", ""),
            new Change("file.discovery", "{\"limit\":3}", ""),
            new Change("file.provision", "{\"autoProvision\":true}", ""),
            new Change("file.execute", "{\"enabled\":false}", ""),
            new Change("file.results", "{\"maxTokens\":1000}", ""),
            new Change("results.maxTokens", "1000", ""),
            new Change("results.keepMs", "1", ""),
            new Change("file.credentials", "{\"store\":\"keyring\"}", ""),
            new Change("file.profiles", "{\"work\":{}}", ""),
            new Change("profile.servers", "[\"one\"]", ""),
            new Change("profile.tools", "{\"exclude\":[\"one/a\"]}", ""),
            new Change("profile.expose", "\"both\"", ""),
            new Change("profileTools.include", "[\"one/a\"]", ""),
            new Change("profileTools.exclude", "[\"one/b\"]", ""),
            new Change("file.share", "{\"idleMs\":1}", ""),
            new Change("file.extensions", "{\"listApps\":false}", ""),
            new Change("file.login", "{\"ask\":\"never\"}", ""),
            new Change("file.telemetry", "{\"logLevel\":\"warn\"}", ""),
            new Change("server.command", "\"other\"", ""),
            new Change("server.args", "[\"x\"]", "\"command\":\"c\","),
            new Change("server.env", "{\"A\":\"x\"}", "\"command\":\"c\","),
            new Change("server.inheritEnv", "[\"A\"]", "\"command\":\"c\","),
            new Change("server.cwd", "\"x\"", "\"command\":\"c\","),
            new Change("server.url", "\"http://h/\"", ""),
            new Change("server.type", "\"sse\"", "\"url\":\"http://h/\","),
            new Change("server.headers", "{\"X\":\"y\"}", "\"url\":\"http://h/\","),
            new Change("server.oauth", "false", "\"url\":\"http://h/\","),
            new Change("server.headersHelper", "\"p\"", "\"url\":\"http://h/\","),
            new Change("server.proxy", "\"none\"", "\"url\":\"http://h/\","),
            new Change("server.era", "\"modern\"", "\"command\":\"c\","),
            new Change("server.criticality", "\"vital\"", "\"command\":\"c\","),
            new Change("server.disabled", "true", "\"command\":\"c\","),
            new Change("server.lifecycle", "\"ephemeral\"", "\"command\":\"c\","),
            new Change("server.isolation", "\"session\"", "\"command\":\"c\","),
            new Change("server.instances", "2", "\"command\":\"c\","),
            new Change("server.timeoutMs", "20000", "\"command\":\"c\","),
            new Change("server.connectTimeoutMs", "20000", "\"command\":\"c\","),
            new Change("server.tcpConnectTimeoutMs", "7", "\"url\":\"http://h/\","),
            new Change("server.breaker", "{\"failureThreshold\":2}", "\"command\":\"c\","),
            new Change("server.toolBreaker", "{\"enabled\":false}", "\"command\":\"c\","),
            new Change("server.retry", "{\"maxAttempts\":1}", "\"command\":\"c\","),
            new Change("server.replay", "{\"t\":\"never\"}", "\"command\":\"c\","),
            new Change("server.tools", "{\"include\":[]}", "\"command\":\"c\","),
            new Change("server.backup", "\"two\"", "\"command\":\"c\","),
            new Change("server.maxResultBytes", "1000", "\"command\":\"c\","),
            new Change("server.replicas", "[\"two\"]", ""),
            new Change("tools.include", "[\"a\"]", ""),
            new Change("tools.exclude", "[\"a\"]", ""),
            new Change("tools.rename", "{\"a\":\"b\"}", ""),
            new Change("oauth.clientId", "\"a\"", ""),
            new Change("oauth.clientSecret", "\"s\"", "\"clientId\":\"a\","),
            new Change("oauth.clientMetadataUrl", "\"https://a.b/c.json\"", ""),
            new Change("oauth.privateKey", "\"k.pem\"", "\"clientId\":\"a\","),
            new Change("oauth.issuer", "\"https://a.b\"", ""),
            new Change("oauth.scopes", "[\"read\"]", ""),
            new Change("oauth.resource", "\"https://h/\"", ""),
            new Change("oauth.redirectPort", "8080", ""),
            new Change("oauth.grant", "\"client_credentials\"", "\"clientId\":\"a\",\"clientSecret\":\"s\","),
            new Change("breaker.preset", "\"openab\"", ""),
            new Change("breaker.mode", "\"window\"", ""),
            new Change("breaker.failureThreshold", "2", ""),
            new Change("breaker.cooldownMs", "2", ""),
            new Change("breaker.cooldownGrowth", "3", ""),
            new Change("breaker.maxCooldownMs", "40000", ""),
            new Change("breaker.jitter", "0", ""),
            new Change("breaker.windowMs", "10", WINDOW),
            new Change("breaker.minimumCalls", "2", WINDOW),
            new Change("breaker.halfOpenMaxCalls", "2", ""),
            new Change("breaker.successesToClose", "2", ""),
            new Change("breaker.failureRate", "0.5", WINDOW),
            new Change("toolBreaker.enabled", "false", ""),
            new Change("toolBreaker.timeoutThreshold", "2", ""),
            new Change("toolBreaker.failureRate", "0.4", ""),
            new Change("toolBreaker.crashThreshold", "2", ""),
            new Change("toolBreaker.cooldownGrowth", "3", ""),
            new Change("toolBreaker.maxCooldownMs", "40000", ""),
            new Change("toolBreaker.minimumCalls", "2", ""),
            new Change("toolBreaker.windowMs", "10", ""),
            new Change("toolBreaker.cooldownMs", "2", ""),
            new Change("toolBreaker.halfOpenMaxCalls", "2", ""),
            new Change("toolBreaker.countToolErrors", "true", ""),
            new Change("retry.replay", "\"never\"", ""),
            new Change("retry.maxAttempts", "2", ""),
            new Change("retry.backoffMs", "[1]", ""),
            new Change("retry.budgetRatio", "0.2", ""),
            new Change("pool.poolSize", "2", ""),
            new Change("pool.resPoolSize", "2", ""),
            new Change("pool.minPoolSize", "1", ""),
            new Change("pool.resPoolTimeout", "2", ""),
            new Change("pool.idleTimeoutMs", "2", ""),
            new Change("pool.queueTimeoutMs", "2", ""),
            new Change("pool.queueLength", "2", ""),
            new Change("pool.maxRemoteSessions", "2", ""),
            new Change("lifecycle.mode", "\"ephemeral\"", ""),
            new Change("lifecycle.idleTimeoutMs", "2", "\"mode\":\"keep-alive\","),
            new Change("lifecycle.eager", "true", "\"mode\":\"keep-alive\","),
            new Change("lifecycle.lingerMs", "2", "\"mode\":\"ephemeral\","),
            new Change("pool.callsAtOnce", "2", ""),
            new Change("pool.callQueueLength", "2", ""),
            new Change("pool.maxInFlightBytes", "2", ""),
            new Change("pool.startsAtOnce", "2", ""),
            new Change("pool.drainMs", "2", ""),
            new Change("pool.failureThreshold", "2", ""),
            new Change("pool.cooldownMs", "2", ""),
            new Change("recovery.pingTimeoutMs", "2", ""),
            new Change("recovery.maxCrashes", "2", ""),
            new Change("recovery.afterMaxCrashes", "\"stop\"", ""),
            new Change("recovery.crashWindowMs", "2", ""),
            new Change("recovery.restartDelaysMs", "[2]", ""),
            new Change("recovery.healthCheckMs", "2", ""),
            new Change("recovery.pingMs", "2", ""),
            new Change("recovery.selfProbeMs", "2", ""),
            new Change("http.host", "\"::1\"", ""),
            new Change("http.port", "2", ""),
            new Change("http.allowedOrigins", "[\"https://a.b\"]", ""),
            new Change("http.otherUsers", "\"allow\"", ""),
            new Change("http.auth", "{\"mode\":\"token\"}", ""),
            new Change("httpAuth.mode", "\"token\"", ""),
            new Change("http.maxBodyBytes", "2", ""),
            new Change("http.sessionIdleMs", "2", ""),
            new Change("http.maxSessions", "2", ""),
            new Change("http.maxConnections", "2", ""),
            new Change("http.headerTimeoutMs", "2", ""),
            new Change("limits.frameBytes", "2000", ""),
            new Change("limits.depth", "9", ""),
            new Change("limits.toolPages", "2", ""),
            new Change("limits.clientWriteMs", "2", ""),
            new Change("limits.clientWaitMs", "2", ""),
            new Change("limits.stuckWriteMs", "2", ""),
            new Change("limits.eraProbeMs", "2", ""),
            new Change("arguments.nulls", "\"strict\"", ""),
            new Change("discovery.semantic", "\"off\"", ""),
            new Change("discovery.limit", "3", ""),
            new Change("discovery.firstListWaitMs", "100", ""),
            new Change("provision.registry", "\"r.json\"", ""),
            new Change("provision.trusted", "[\"a@1.2.3\"]", ""),
            new Change("provision.autoProvision", "true", ""),
            new Change("execute.enabled", "false", ""),
            new Change("execute.timeoutMs", "2", ""),
            new Change("execute.memoryMb", "16", ""),
            new Change("execute.maxCalls", "2", ""),
            new Change("execute.maxOutputBytes", "2", ""),
            new Change("execute.runsAtOnce", "1", ""),
            new Change("credentials.store", "\"keyring\"", ""),
            new Change("login.ask", "\"never\"", ""),
            new Change("share.mode", "\"auto\"", ""),
            new Change("share.idleMs", "1000", ""),
            new Change("extensions.pass", "[\"com.example/thing\"]", ""),
            new Change("extensions.listApps", "false", ""),
            new Change("telemetry.logLevel", "\"debug\"", ""),
            new Change("telemetry.otlpEndpoint", "\"http://h:4318\"", ""));

    /// [OAuthConfigTest] has `credentials.command`, which goes with `store` only. `servers` is `mcpServers` under
    /// another name; `$schema` is for editors; what `ca`
    /// changes takes a certificate to see; the last two go together only, and [BreakerRulesTest] has them.
    private static final List<String> ELSEWHERE = List.of(
            "file.servers",
            "file.$schema",
            "server.ca",
            "breaker.slowCallMs",
            "breaker.slowCallRate",
            "credentials.command");

    @TestFactory
    Stream<DynamicTest> every_key_changes_the_configuration() {
        return CHANGES.stream().map(change -> DynamicTest.dynamicTest(change.where(), () -> check(change)));
    }

    private static void check(Change change) {
        String name = change.where().substring(change.where().indexOf('.') + 1);
        String with = change.beside() + "\"" + name + "\":" + change.value();

        Configuration changed = Reads.usable(file(change, with));

        assertThat(changed.problems()).isEmpty();
        assertThat(changed).isNotEqualTo(Reads.usable(file(change, change.beside())));
    }

    /// Trailing commas are allowed.
    private static String file(Change change, String members) {
        String server = "\"one\":{\"command\":\"c\",";
        return switch (change.where().replaceFirst("\\..*", "")) {
            case "file" ->
                members.contains("mcpServers")
                        ? "{" + members + "}"
                        : "{\"servers\":{" + server + "}}," + members + "}";
            case "server" ->
                "{\"servers\":{\"one\":{" + (members.isEmpty() ? "\"command\":\"c\"" : members)
                        + "},\"two\":{\"command\":\"c\"}}}";
            case "lifecycle" ->
                "{\"servers\":{" + server + (members.isEmpty() ? "" : "\"lifecycle\":{" + members + "}") + "}}}";
            case "oauth" -> "{\"servers\":{\"one\":{\"url\":\"http://h/\",\"oauth\":{" + members + "}}}}";
            case "tools" -> "{\"servers\":{" + server + "\"tools\":{" + members + "}}}}";
            case "profile" -> "{\"servers\":{" + server + "}},\"profiles\":{\"p\":{" + members + "}}}";
            case "profileTools" -> "{\"servers\":{" + server + "}},\"profiles\":{\"p\":{\"tools\":{" + members + "}}}}";
            case "httpAuth" -> "{\"servers\":{" + server + "}},\"http\":{\"auth\":{" + members + "}}}";
            case String place -> "{\"servers\":{" + server + "}},\"" + place + "\":{" + members + "}}";
        };
    }

    @Test
    void no_key_is_left_out() {
        List<String> all = new ArrayList<>();
        for (SectionType sectionType : FileSection.SECTIONS) {
            sectionType.keys().forEach(key -> all.add(sectionType.label() + "." + key.name()));
        }
        List<String> here = new ArrayList<>(CHANGES.stream().map(Change::where).toList());
        here.addAll(ELSEWHERE);

        assertThat(here).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(all);
    }
}
