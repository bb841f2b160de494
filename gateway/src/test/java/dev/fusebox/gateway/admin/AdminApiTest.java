package dev.fusebox.gateway.admin;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.State;
import dev.fusebox.gateway.admin.AdminClient.Answer;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.observe.BreakerEvents;
import dev.fusebox.gateway.observe.EventLog;
import dev.fusebox.gateway.observe.LogBuffer;
import dev.fusebox.gateway.observe.ToolExecuted;
import dev.fusebox.gateway.routing.ToolList;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The admin API over HTTP, and its access control.
@Timeout(60)
class AdminApiTest {
    private static final String TOKEN = "a-token-that-nobody-can-guess-1234";
    private static final String KNOWN = "Authorization: Bearer " + TOKEN;
    private static final String JSON = "Content-Type: application/json";

    private final Breakers breakers =
            Breakers.settings().policy(BreakerPolicy.defaults()).build();
    private final EventLog eventLog = new EventLog(SingleServerHarness.PLATFORM.wallClock());
    private final LogBuffer logBuffer = new LogBuffer(SingleServerHarness.PLATFORM.wallClock());
    private @Nullable String token = TOKEN;
    private AdminControls adminControls = AdminControls.NONE;
    private AdminApi adminApi;
    private HttpServer front;
    private AdminClient client;

    @BeforeEach
    void open() throws IOException {
        BreakerEvents.forward(breakers, eventLog);
        breakers.breaker("jira");
        breakers.breaker(BreakerName.of("jira").tool("a/b"));
        adminApi = new AdminApi(
                SingleServerHarness.PLATFORM,
                new AdminApi.Views(
                        ReportedServers::all,
                        AdminApiTest::found,
                        breakers,
                        eventLog,
                        (s, a) -> adminControls.apply(s, a),
                        () -> "numbers 1\n",
                        logBuffer,
                        () -> new AdminApi.Source(
                                Path.of("/etc/fusebox.json"), List.of("/etc/fusebox.json:1: is none"))));
        front = HttpServer.open(HttpSettings.loopback(0), adminApi.forAll(() -> token), SingleServerHarness.PLATFORM);
        client = AdminClient.of(front);
    }

    @AfterEach
    void close() {
        adminApi.close();
        front.close();
    }

    private static JsonView read(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return Messages.read(answer.body());
    }

    private static String code(Answer answer) {
        return String.valueOf(Messages.at(Messages.read(answer.body()), "error").string("code"));
    }

    private CircuitBreaker jira() {
        return breakers.breaker("jira");
    }

    // ---- Reading

    @Test
    void login_is_reported_for_servers_that_use_one() {
        JsonView servers = Messages.at(read(client.get("/api/v1/servers")), "servers");
        assertThat(Messages.at(servers.elements().getFirst(), "login").json()).isEqualTo("""
                        {"loggedIn":true,"subject":"anna","scopes":["read","write"],"expiresAt":"2026-11-29T08:00:00Z",\
                        "renewal":"refresh token","lastFailure":"HTTP 503",\
                        "missingScopes":[{"tool":"delete","scopes":["admin"]}]}""");
        assertThat(servers.elements().getLast().member("login")).isNull();
    }

    @Test
    void configuration_path_is_visible_only_to_the_owner() throws IOException {
        assertThat(client.get("/api/v1/servers", KNOWN).body()).doesNotContain("fusebox.json", "\"config");
        try (HttpServer owners =
                HttpServer.open(HttpSettings.loopback(0), adminApi.forOwner(), SingleServerHarness.PLATFORM)) {
            AdminClient owner = AdminClient.of(owners);
            JsonView told = read(owner.get("/api/v1/servers"));
            assertThat(told.string("config")).isEqualTo("/etc/fusebox.json");
            assertThat(Messages.at(told, "configProblems").json()).isEqualTo("[\"/etc/fusebox.json:1: is none\"]");
        }
    }

    @Test
    void healthz_reports_liveness_and_readyz_fails_during_drain() {
        assertThat(client.get("/healthz").body()).isEqualTo("ok\n");
        assertThat(client.get("/readyz").status()).isEqualTo(200);
        adminApi.drain();
        assertThat(client.get("/readyz").status()).isEqualTo(503);
        assertThat(client.get("/healthz").status()).isEqualTo(200);
    }

    @Test
    void server_list_has_states_and_breakers() {
        List<JsonView> servers =
                Messages.at(read(client.get("/api/v1/servers")), "servers").elements();
        assertThat(servers).hasSize(2);
        assertThat(servers.getFirst().json())
                .startsWith(
                        "{\"name\":\"jira\",\"status\":\"online\",\"statusMessage\":\"well\",\"process\":\"running\","
                                + "\"toolCount\":2,\"inFlight\":2,\"waiting\":1,\"login\":{\"loggedIn\":true,")
                .contains("\"breaker\":{\"name\":\"jira\"")
                .doesNotContain("\"tools\"");
        assertThat(servers.get(1).json())
                .contains("\"lastError\":{\"code\":\"connect_failed\",\"message\":\"connection refused\","
                        + "\"id\":\"connect-failed\"}")
                .doesNotContain("\"breaker\"");
    }

    @Test
    void server_is_shown_with_its_tools_and_unknown_server_is_not_found() {
        JsonView jira = read(client.get("/api/v1/servers/jira"));
        assertThat(Messages.at(jira, "tools").elements()).hasSize(2);
        assertThat(client.get("/api/v1/servers/nobody").status()).isEqualTo(404);
    }

    @Test
    void tool_is_shown_with_its_original_definition_and_unknown_tool_is_not_found() {
        JsonView first = Messages.at(read(client.get("/api/v1/servers/jira")), "tools")
                .elements()
                .getFirst();
        JsonView tool = read(client.get("/api/v1/servers/jira/tools/" + first.string("name")));
        assertThat(tool.string("server")).isEqualTo("jira");
        assertThat(tool.string("tool")).isEqualTo(first.string("name"));
        assertThat(Messages.at(tool, "definition").isObject()).isTrue();
        assertThat(client.get("/api/v1/servers/jira/tools/none").status()).isEqualTo(404);
        assertThat(client.get("/api/v1/servers/nobody/tools/search").status()).isEqualTo(404);
    }

    @Test
    void server_is_shown_with_failures_by_origin_restarts_and_pool() {
        JsonView jira = read(client.get("/api/v1/servers/jira"));
        assertThat(Messages.at(jira, "failures").json())
                .isEqualTo("{\"connect\":3,\"midCall\":2,\"ping\":1,\"http\":4}");
        assertThat(Messages.at(jira, "restarts").json()).isEqualTo("5");
        assertThat(Messages.at(jira, "pool").json())
                .isEqualTo("{\"name\":\"processes\",\"connections\":1,\"size\":20,\"taken\":7,\"idle\":6,"
                        + "\"waiting\":0,\"evicted\":9,\"expired\":8,\"reserved\":0,\"refused\":2}");
        JsonView mail = read(client.get("/api/v1/servers/mail"));
        assertThat(mail.member("failures")).isNull();
        assertThat(mail.member("pool")).isNull();
    }

    private static ToolList.Found found(String query) {
        ServerSnapshot.Tool tool =
                new ServerSnapshot.Tool("search", "jira__search", JsonView.of("{\"description\":\"" + query + "\"}"));
        return new ToolList.Found(List.of(new ToolList.Row("jira", tool)), true, true);
    }

    @Test
    void tools_are_searched_like_mcp_discover_or_all_listed() {
        JsonView found = read(client.get("/api/v1/tools?query=Tickets%20JIRA"));
        assertThat(found.json())
                .isEqualTo("{\"search\":\"hybrid\",\"more\":true,\"tools\":[{\"server\":\"jira\",\"tool\":\"search\","
                        + "\"shownAs\":\"jira__search\",\"description\":\"Tickets JIRA\",\"tokens\":8}]}");
        JsonView all = read(client.get("/api/v1/tools"));
        assertThat(Messages.at(all, "tools").elements()).hasSize(2);
        assertThat(client.get("/api/v1/tools?query=%2").status()).isEqualTo(400);
    }

    @Test
    void breakers_stats_and_health_summary_agree() {
        jira().forceOpen("maintenance");
        JsonView all = Messages.at(read(client.get("/api/v1/breakers")), "breakers");
        assertThat(all.elements()).hasSize(2);
        assertThat(all.elements().getFirst().json())
                .startsWith("{\"name\":\"jira\",\"server\":\"jira\",\"scope\":\"server\",\"state\":\"forced-open\",")
                .contains("\"operatorReason\":\"maintenance\"");
        JsonView stats = read(client.get("/api/v1/stats"));
        assertThat(Messages.at(stats, "jira").string("state")).isEqualTo("forced-open");
        assertThat(Messages.at(stats, "jira/a/b").json())
                .matches("\\{\"state\":\"closed\",\"failureRate\":0(\\.0)?,\"failureCount\":0,\"totalCalls\":0,"
                        + "\"since\":\"[^\"]+\",\"retryAt\":null\\}");
        assertThat(read(client.get("/api/v1/health")).json())
                .isEqualTo("{\"totalBreakers\":2,\"closedBreakers\":1,\"openBreakers\":1,\"halfOpenBreakers\":0,"
                        + "\"unhealthyBreakers\":[\"jira\"]}");
    }

    @Test
    void status_page_escapes_all_text_and_allows_no_scripts() {
        Answer page = client.get("/");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.headers()).anyMatch(line -> line.startsWith("Content-Security-Policy: default-src 'none'"));
        assertThat(page.body())
                .contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;")
                .doesNotContain("<script", "\u0007", "\u202e");
    }

    @Test
    void metrics_are_served_unchanged() {
        Answer answer = client.get("/metrics");
        assertThat(answer.body()).isEqualTo("numbers 1\n");
        assertThat(answer.has("Content-Type: text/plain; version=0.0.4; charset=utf-8"))
                .isTrue();
    }

    @Test
    void unknown_path_is_404_and_wrong_method_is_405() {
        assertThat(client.get("/api/v1/nothing").status()).isEqualTo(404);
        assertThat(client.get("/nothing").status()).isEqualTo(404);
        assertThat(client.get("/api/v1").status()).isEqualTo(404);
        assertThat(client.post("/healthz", "").status()).isEqualTo(405);
        for (String path : List.of("servers", "log", "events")) {
            assertThat(client.ask("DELETE /api/v1/" + path, "", KNOWN).has("Allow: GET, HEAD"))
                    .as(path)
                    .isTrue();
        }
    }

    // ---- Access control

    @Test
    void foreign_host_and_origin_are_rejected_on_every_route() {
        for (String path : List.of("/", "/healthz", "/readyz", "/metrics", "/api/v1/servers", "/api/v1/events")) {
            assertThat(client.named("evil.example").get(path).status()).as(path).isEqualTo(403);
            assertThat(client.get(path, "Origin: http://evil.example").status())
                    .as(path)
                    .isEqualTo(403);
            assertThat(client.get(path, "Origin: null").status()).as(path).isEqualTo(403);
        }
        assertThat(client.post("/api/v1/breakers/jira/open", "", KNOWN, "Origin: http://evil.example")
                        .status())
                .isEqualTo(403);
        assertThat(jira().state()).isEqualTo(State.CLOSED);
    }

    @Test
    void proxied_requests_need_the_token() {
        String proxy = "X-Forwarded-For: 192.0.2.1";
        assertThat(client.get("/api/v1/servers", proxy).status()).isEqualTo(401);
        assertThat(client.get("/metrics", proxy).status()).isEqualTo(401);
        assertThat(client.get("/", proxy).status()).isEqualTo(401);
        assertThat(client.get("/healthz", proxy).status()).isEqualTo(200);
        assertThat(client.get("/api/v1/servers", proxy, KNOWN).status()).isEqualTo(200);
    }

    @Test
    void changes_are_rejected_without_the_correct_token() {
        List<String> headers = List.of(
                "X-Nothing: 1",
                "Authorization: Bearer wrong",
                "Authorization: Bearer",
                "Authorization: Basic " + TOKEN,
                "Authorization: " + TOKEN);
        for (String header : headers) {
            Answer answer = client.post("/api/v1/breakers/jira/open", "", header);
            assertThat(answer.status()).as(header).isEqualTo(401);
            assertThat(answer.has("WWW-Authenticate: Bearer")).isTrue();
        }
        assertThat(client.post("/api/v1/breakers/jira/open?token=" + TOKEN, "").status())
                .isEqualTo(401);
        assertThat(client.post("/api/v1/servers/jira/restart", "").status()).isEqualTo(401);
        assertThat(client.post("/api/v1/whatever", "").status()).isEqualTo(401);
        assertThat(jira().state()).isEqualTo(State.CLOSED);
    }

    @Test
    void changes_are_rejected_when_the_gateway_has_no_token() {
        token = null;
        Answer answer = client.post("/api/v1/breakers/jira/open", "", "Authorization: Bearer null");
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.body()).contains("no token");
        assertThat(jira().state()).isEqualTo(State.CLOSED);
    }

    @Test
    void unknown_server_error_suggests_a_similar_name() {
        Answer answer = client.get("/api/v1/servers/jirra");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(code(answer)).isEqualTo("unknown_server");
        assertThat(answer.body()).contains("did you mean");
        assertThat(code(client.get("/api/v1/servers-and-more"))).isEqualTo("not_found");
    }

    // ---- Writing

    @Test
    void breaker_is_opened_with_a_reason_and_reset() {
        Answer opened = client.post("/api/v1/breakers/jira/open", "{\"reason\":\"new disks\"}", KNOWN, JSON);
        assertThat(read(opened).string("state")).isEqualTo("forced-open");
        assertThat(jira().snapshot().operatorReason()).isEqualTo("new disks");
        assertThat(read(client.post("/api/v1/breakers/jira/reset", "", KNOWN)).string("state"))
                .isEqualTo("closed");
    }

    @Test
    void tool_breaker_is_addressed_by_its_full_name() {
        assertThat(read(client.post("/api/v1/breakers/jira/tools/a/b/open", "", KNOWN))
                        .string("tool"))
                .isEqualTo("a/b");
        assertThat(jira().state()).isEqualTo(State.CLOSED);
    }

    @Test
    void unknown_breaker_and_invalid_body_change_nothing() {
        String open = "/api/v1/breakers/jira/open";
        assertThat(code(client.post("/api/v1/breakers/nobody/open", "", KNOWN))).isEqualTo("unknown_breaker");
        assertThat(client.post("/api/v1/breakers/jira/explode", "", KNOWN).status())
                .isEqualTo(404);
        assertThat(client.post(open, "{\"reason\":\"x\"}", KNOWN, "Content-Type: text/plain")
                        .status())
                .isEqualTo(400);
        assertThat(client.post(open, "{\"reason\":", KNOWN, JSON).status()).isEqualTo(400);
        assertThat(client.post(open, "{\"why\":\"x\"}", KNOWN, JSON).status()).isEqualTo(400);
        assertThat(client.post(open, "[]", KNOWN, JSON).status()).isEqualTo(400);
        assertThat(client.post(open, "{\"reason\":\"a\\u001b\"}", KNOWN, JSON).status())
                .isEqualTo(400);
        assertThat(client.post("/api/v1/breakers/%C2%85/open", "", KNOWN).status())
                .isEqualTo(404);
        assertThat(client.post(open, "{\"reason\":\"" + "x".repeat(201) + "\"}", KNOWN, JSON)
                        .status())
                .isEqualTo(400);
        assertThat(jira().state()).isEqualTo(State.CLOSED);
    }

    @Test
    void unsupported_operation_is_rejected_and_executed_one_is_confirmed() {
        Answer impossible = client.post("/api/v1/servers/jira/restart", "", KNOWN);
        assertThat(impossible.status()).isEqualTo(501);
        assertThat(impossible.body()).contains("cannot restart a server");
        adminControls = (server, action) -> new AdminControls.Result.Done(action + " " + server);
        assertThat(read(client.post("/api/v1/servers/jira/connect", "", KNOWN)).string("message"))
                .isEqualTo("connect jira");
        adminControls = (server, action) -> new AdminControls.Result.Failed("connection refused");
        assertThat(client.post("/api/v1/servers/jira/disable", "", KNOWN).status())
                .isEqualTo(502);
        adminControls = (server, action) -> new AdminControls.Result.HeldByOperator("an operator holds it open");
        Answer withheld = client.post("/api/v1/servers/jira/connect", "", KNOWN);
        assertThat(withheld.status()).isEqualTo(409);
        assertThat(code(withheld)).isEqualTo("withheld");
        assertThat(code(client.post("/api/v1/servers/nobody/enable", "", KNOWN)))
                .isEqualTo("unknown_server");
        assertThat(client.post("/api/v1/servers/jira/explode", "", KNOWN).status())
                .isEqualTo(404);
    }

    @Test
    void each_operation_has_its_own_path() {
        adminControls = (server, action) -> new AdminControls.Result.Done(action + " " + server);
        for (String action : List.of("restart", "connect", "ping", "enable", "disable")) {
            assertThat(read(client.post("/api/v1/servers/jira/" + action, "", KNOWN))
                            .string("message"))
                    .isEqualTo(action + " jira");
        }
        for (String breaker : List.of("jira", "jira/tools/a/b")) {
            assertThat(read(client.post("/api/v1/breakers/" + breaker + "/open", "", KNOWN))
                            .string("state"))
                    .isEqualTo("forced-open");
            assertThat(read(client.post("/api/v1/breakers/" + breaker + "/reset", "", KNOWN))
                            .string("state"))
                    .isEqualTo("closed");
        }
        assertThat(read(client.get("/api/v1/log", KNOWN)).member("lines")).isNotNull();
    }

    @Test
    void every_path_is_documented() throws IOException {
        String page = Files.readString(Path.of("../docs/api.md"));
        assertThat(page)
                .contains("`/healthz`", "`/readyz`", "`/`", "`/metrics`", "`/mcp`", "`/sse`", "`/messages`")
                .contains("`/api/v1/servers`", "`/api/v1/servers/NAME`", "`/api/v1/tools`", "`/api/v1/breakers`")
                .contains("`/api/v1/health`", "`/api/v1/stats`", "`/api/v1/events`", "`/api/v1/log`")
                .contains("`/api/v1/servers/NAME/restart`", "`/api/v1/servers/NAME/connect`")
                .contains("`/api/v1/servers/NAME/ping`", "`/api/v1/servers/NAME/enable`, `/disable`")
                .contains("`/api/v1/breakers/NAME/open`, `/reset`", "`/api/v1/breakers/NAME/tools/TOOL/open`");
    }

    // ---- Events

    @Test
    void events_have_growing_numbers_and_filters_by_server_and_type() {
        try (AdminClient.Stream all = client.stream("/api/v1/events");
                AdminClient.Stream some = client.stream("/api/v1/events?server=mail&type=mcp.tool.executed")) {
            all.next(":");
            some.next(":");
            jira().forceOpen("maintenance");
            executed("jira", "search");
            executed("mail", "send");
            long first = Long.parseLong(all.next("id: "));
            assertThat(all.next("data: "))
                    .startsWith("{\"id\":" + first + ",\"type\":\"circuit.state_change\",\"timestamp\":\"")
                    .contains("\"server\":\"jira\",\"from\":\"closed\",\"to\":\"forced-open\"");
            assertThat(Long.parseLong(all.next("id: "))).isEqualTo(first + 1);
            assertThat(Long.parseLong(some.next("id: "))).isEqualTo(first + 2);
            assertThat(some.next("data: "))
                    .contains("\"server\":\"mail\",\"tool\":\"send\",\"durationMs\":7,\"success\":true}");
        }
        eventually(
                "no event stream is open", () -> assertThat(adminApi.streams()).isEqualTo(0));
    }

    private void executed(String server, String tool) {
        eventLog.publish(new ToolExecuted(server, tool, 7, null));
    }

    @Test
    void reconnecting_reader_gets_missed_events_up_to_the_last_thousand() {
        long before;
        try (AdminClient.Stream stream = client.stream("/api/v1/events")) {
            stream.next(":");
            executed("jira", "0");
            before = Long.parseLong(stream.next("id: "));
        }
        executed("jira", "1");
        executed("jira", "2");
        try (AdminClient.Stream stream = client.stream("/api/v1/events", "Last-Event-ID: " + before)) {
            assertThat(stream.next("id: ")).isEqualTo(Long.toString(before + 1));
            assertThat(stream.next("id: ")).isEqualTo(Long.toString(before + 2));
        }
        for (int i = 3; i <= 2_000; i++) {
            executed("jira", Integer.toString(i));
        }
        try (AdminClient.Stream stream = client.stream("/api/v1/events", "Last-Event-ID: " + before)) {
            assertThat(stream.next("id: ")).isEqualTo(Long.toString(before + 1_001));
        }
        assertThat(client.get("/api/v1/events", "Last-Event-ID: x").status()).isEqualTo(400);
    }

    @Test
    void event_reader_that_does_not_read_is_disconnected() {
        try (AdminClient.Stream stream = client.stream("/api/v1/events")) {
            stream.next(":");
            String long1 = "x".repeat(10_000);
            eventually("no event stream is open", () -> {
                for (int i = 0; i < 100; i++) {
                    executed("jira", long1);
                }
                return adminApi.streams() == 0;
            });
        }
    }

    @Test
    void head_request_opens_no_event_stream() {
        for (int i = 0; i < 70; i++) {
            assertThat(client.ask("HEAD /api/v1/events", "").status()).isEqualTo(200);
        }
        assertThat(adminApi.streams()).isZero();
    }

    @Test
    void event_streams_end_with_the_gateway() {
        try (AdminClient.Stream stream = client.stream("/api/v1/events")) {
            stream.next(":");
            adminApi.drain();
            assertThat(stream.next("0")).isEmpty();
        }
        assertThat(client.get("/api/v1/events").status()).isEqualTo(503);
    }
}
