package dev.fusebox.gateway.era;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How it is found out which era a server speaks, and what happens to requests that are not in order.
@Tag("process")
@Timeout(120)
class ErasTest {
    private static final String ECHO = "{\"text\":\"here\"}";

    @TempDir
    private Path folder;

    private static String echo(Wire client, int id) {
        return Messages.said(client.answer(Messages.call(id, Messages.PLAIN, "echo", ECHO)));
    }

    @ParameterizedTest
    @EnumSource(EraPolicy.class)
    void a_server_of_both_eras_is_spoken_to_in_the_one_that_the_operator_names(EraPolicy policy) {
        ChildSpec spec = SingleServerHarness.server(SingleServerHarness.script(Era.BOTH));
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(
                SingleServerHarness.Front.HTTP, spec, frontTarget -> frontTarget.withEra(policy))) {
            assertThat(echo(singleServerHarness.wire(), 1)).isEqualTo("here");
            JsonView listed =
                    singleServerHarness.wire().answer(Messages.stateless(2, "tools/list", Messages.PLAIN, ""));
            // Our own server lets lists be kept for a minute, and what is translated may not be kept at all.
            assertThat(Messages.at(listed, "result", "ttlMs")).hasToString(policy == EraPolicy.SESSION ? "0" : "60000");
        }
    }

    @Test
    void policy_has_the_value_of_the_configuration() {
        for (EraPolicy policy : EraPolicy.values()) {
            assertThat(EraPolicy.of(policy.word())).contains(policy);
        }
        assertThat(List.of(EraPolicy.values()).stream().map(EraPolicy::word))
                .containsExactly("legacy", "auto", "modern");
        assertThat(EraPolicy.of("session")).isEmpty();
    }

    @Test
    void server_that_exits_on_the_probe_is_a_session_server_and_is_probed_once() throws IOException {
        Path starts = folder.resolve("starts");
        ChildSpec fixture = SingleServerHarness.server(SingleServerHarness.script(Era.LEGACY, "exit-on-early-request"));
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(
                SingleServerHarness.Front.HTTP, counting(starts, fixture), frontTarget -> frontTarget)) {
            for (int id = 1; id <= 3; id++) {
                assertThat(echo(singleServerHarness.wire(), id)).isEqualTo("here");
            }
            assertThat(Files.readAllLines(starts)).hasSize(2);
        }
    }

    /// The same server, which leaves a line in a file whenever it is started.
    private static ChildSpec counting(Path starts, ChildSpec spec) {
        String[] all = new String[spec.args().size() + 4];
        all[0] = "-c";
        all[1] = "echo started >> \"$0\"; exec \"$@\"";
        all[2] = starts.toString();
        all[3] = spec.command();
        for (int i = 0; i < spec.args().size(); i++) {
            all[i + 4] = spec.args().get(i);
        }
        return ChildSpec.of("/bin/sh", all);
    }

    @Test
    void server_that_does_not_answer_the_probe_is_legacy() {
        ChildSpec spec = SingleServerHarness.server(SingleServerHarness.script(Era.LEGACY, "hang-on-discover"));
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(
                SingleServerHarness.Front.HTTP,
                spec,
                frontTarget -> frontTarget.withEraProbe(Duration.ofMillis(100)))) {
            assertThat(echo(singleServerHarness.wire(), 1)).isEqualTo("here");
        }
    }

    /// Each timer of its JVM waits for a processor then, and the server sleeps most of the time all the same.
    /// The other programs have sessions of their own, among which the scheduler divides the processors, and end by
    /// themselves after a minute of its time. Over five seconds: a JVM starts twice beside them.
    @Test
    void silent_server_is_distinguished_from_a_starting_one_on_a_busy_machine() throws IOException {
        ChildSpec spec = SingleServerHarness.server(SingleServerHarness.script(Era.LEGACY, "hang-on-discover"));
        List<Process> others = new ArrayList<>();
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(
                SingleServerHarness.Front.HTTP,
                spec,
                frontTarget -> frontTarget.withEraProbe(Duration.ofMillis(100)))) {
            for (int i = 0; i < 6 * Runtime.getRuntime().availableProcessors(); i++) {
                others.add(new ProcessBuilder("setsid", "/bin/sh", "-c", "ulimit -t 60; while :; do :; done").start());
            }
            assertThat(echo(singleServerHarness.wire(), 1)).isEqualTo("here");
        } finally {
            others.forEach(Process::destroyForcibly);
        }
    }

    /// Its handshake is refused, and by then it has answered the question, which was not forgotten.
    @Test
    void a_stateless_server_that_starts_slowly_is_not_taken_for_one_of_the_session_era() {
        ChildSpec spec = SingleServerHarness.server(SingleServerHarness.script(Era.MODERN));
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(
                SingleServerHarness.Front.HTTP, spec, frontTarget -> frontTarget.withEraProbe(Duration.ofMillis(1)))) {
            eventually(
                    "a call to echo succeeds",
                    () -> isResult(singleServerHarness.wire().answer(Messages.call(1, Messages.PLAIN, "echo", ECHO))));
        }
    }

    private static boolean isResult(JsonView answer) {
        return answer.path("result", "_meta", "fusebox/error") == null && answer.member("error") == null;
    }

    @Test
    void a_server_that_cannot_be_started_settles_nothing() throws IOException {
        Path works = folder.resolve("works");
        ChildSpec fixture = SingleServerHarness.server(SingleServerHarness.script(Era.MODERN));
        String[] all = new String[fixture.args().size() + 4];
        all[0] = "-c";
        all[1] = "[ -e \"$0\" ] || exit 7; exec \"$@\"";
        all[2] = works.toString();
        all[3] = fixture.command();
        for (int i = 0; i < fixture.args().size(); i++) {
            all[i + 4] = fixture.args().get(i);
        }
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(
                SingleServerHarness.Front.HTTP, ChildSpec.of("/bin/sh", all), frontTarget -> frontTarget)) {
            JsonView failed = singleServerHarness.wire().answer(Messages.call(1, Messages.PLAIN, "echo", ECHO));
            assertThat(Messages.kind(failed)).startsWith("server_crashed stdio-exit ");

            Files.createFile(works);
            assertThat(echo(singleServerHarness.wire(), 2)).isEqualTo("here");
        }
    }

    // ---- One line, or one endpoint, for both eras

    @ParameterizedTest
    @EnumSource(
            value = Era.class,
            names = {"LEGACY", "MODERN"})
    void client_may_discover_before_it_initializes_a_session(Era era) {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(SingleServerHarness.Front.STDIO, era)) {
            Wire client = singleServerHarness.wire();
            JsonView discovered = client.answer(Messages.stateless(1, "server/discover", Messages.PLAIN, ""));
            assertThat(discovered.member("result")).isNotNull();
            assertThat(Messages.text(client.hello(Messages.PLAIN), "result", "protocolVersion"))
                    .isEqualTo("2025-11-25");
            assertThat(Messages.said(client.answer(Messages.sessionCall(2, "echo", ECHO))))
                    .isEqualTo("here");
            assertThat(echo(client, 3)).isEqualTo("here");
        }
    }

    @Test
    void request_of_unknown_revision_is_answered_with_the_supported_ones() {
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(SingleServerHarness.Front.STDIO, Era.MODERN)) {
            String request =
                    Messages.stateless(1, "tools/list", Messages.PLAIN, "").replace("2026-07-28", "2099-01-01");
            JsonView refused = singleServerHarness.wire().answer(request);
            assertThat(Messages.at(refused, "error", "code")).hasToString("-32022");
            assertThat(Messages.at(refused, "error", "data", "supported")).hasToString("[\"2026-07-28\"]");
        }
    }

    // ---- Headers

    @ParameterizedTest
    @EnumSource(
            value = Era.class,
            names = {"LEGACY", "MODERN"})
    void header_arguments_match_the_body(Era era) {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(SingleServerHarness.Front.HTTP, era);
                HttpWire client = (HttpWire) singleServerHarness.another()) {
            client.answer(Messages.stateless(1, "tools/list", Messages.PLAIN, ""));
            String both = "{\"region\":\"Zürich\",\"limit\":3,\"options\":{\"dry\":true}}";

            assertThat(checked(client, both, "Limit", "3", "Dry-Run", "true", "Region", "=?base64?WsO8cmljaA==?="))
                    .isEqualTo(200);
            assertThat(checked(client, "{\"region\":\"here\"}", "Region", "here"))
                    .isEqualTo(200);
            assertThat(checked(client, "{\"region\":\"here\"}")).isEqualTo(400);
            assertThat(checked(client, "{\"region\":\"here\"}", "Region", "there"))
                    .isEqualTo(400);
            assertThat(checked(client, "{\"region\":\"here\"}", "Region", "here", "Limit", "1"))
                    .isEqualTo(400);
            assertThat(checked(client, "{\"region\":\"here\"}", "Region", "=?base64?aGVyZQ?="))
                    .isEqualTo(400);
        }
    }

    /// The status of a call with these headers, names and values in turns.
    private static int checked(HttpWire client, String arguments, String... headers) {
        String[] named = headers.clone();
        for (int i = 0; i < named.length; i += 2) {
            named[i] = "Mcp-Param-" + named[i];
        }
        JsonView answer = client.with(named).answer(Messages.call(2, Messages.PLAIN, "test_x_mcp_header", arguments));
        JsonView code = answer.path("error", "code");
        assertThat(client.status() == 400).isEqualTo(code != null && code.json().equals("-32020"));
        return client.status();
    }
}
