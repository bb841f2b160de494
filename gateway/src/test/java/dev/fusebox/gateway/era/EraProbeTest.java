package dev.fusebox.gateway.era;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionListener;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Principal;
import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.Isolation;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.gateway.session.ConnectionGovernor;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How often a server is started until its era is known, with real processes.
@Tag("process")
@Timeout(120)
class EraProbeTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private final ChildProcesses children = ChildProcesses.open(SingleServerHarness.PLATFORM);
    private final List<DetectedEndpoint> targets = new ArrayList<>();
    /// What the shell does before it becomes the server.
    private String preparing = "";

    private final FailureCount failures = new FailureCount();

    /// The attempts to connect that have failed.
    private static final class FailureCount implements ConnectionListener {
        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void connecting() {}

        @Override
        public void connected(Connection connection) {}

        @Override
        public void failed(CallFailure failure) {
            count.incrementAndGet();
        }

        @Override
        public void lost(Connection connection, CallFailure failure) {}
    }

    private final Remembered memory = new Remembered(new AtomicReference<>());

    @AfterEach
    void end() {
        targets.forEach(DetectedEndpoint::close);
        children.close();
    }

    /// What one start leaves to the next.
    private record Remembered(AtomicReference<EraStore.@Nullable ProbeResult> probeResult) implements EraStore {
        @Override
        public @Nullable ProbeResult load() {
            return probeResult.get();
        }

        @Override
        public void keep(ProbeResult other) {
            probeResult.set(other);
        }
    }

    /// A client of the session era with processes of its own.
    private static final class Session implements ClientSession {
        @Override
        public boolean isHere() {
            return true;
        }

        @Override
        public boolean isLegacy() {
            return true;
        }
    }

    private Path starts() {
        return folder.resolve("starts");
    }

    private int started() throws IOException {
        return Files.readAllLines(starts()).size();
    }

    /// One run of a gateway before the scripted server, which leaves a line whenever it is started.
    private DetectedEndpoint run(Era era, String... faults) {
        return run(ConnectionSharing.ONE, LONG, era, faults);
    }

    private DetectedEndpoint run(ConnectionSharing connectionSharing, Duration probe, Era era, String... faults) {
        return run(connectionSharing, probe, SingleServerHarness.server(SingleServerHarness.script(era, faults)));
    }

    private DetectedEndpoint run(ConnectionSharing connectionSharing, Duration probe, ChildSpec spec) {
        List<String> words = new ArrayList<>(
                List.of("-c", "echo started >> \"$0\"; " + preparing + "exec \"$@\"", starts().toString()));
        words.add(spec.command());
        words.addAll(spec.args());
        ChildSpec counted = ChildSpec.of("/bin/sh", words.toArray(String[]::new));
        StdioConnector connector = new StdioConnector(SingleServerHarness.PLATFORM, "server", children, counted);
        FrontTarget frontTarget = FrontTarget.of(SessionSettings.of("server").withConnectTimeout(LONG), connector)
                .withEraProbe(probe)
                .under(new ConnectionGovernor(failures, connectionSharing));
        DetectedEndpoint target =
                new DetectedEndpoint(SingleServerHarness.PLATFORM, frontTarget, SecretIds.system(), memory);
        targets.add(target);
        return target;
    }

    private static Outcome list(DetectedEndpoint target, @Nullable ClientSession clientSession) {
        Message.Request request = Message.Request.of(
                Messages.stateless(7, "tools/list", Messages.PLAIN, "").getBytes(StandardCharsets.UTF_8));
        ClientMetadata client = Objects.requireNonNull(ClientMetadata.of(request));
        Deadline deadline = new Deadline(LONG, Duration.ZERO, SingleServerHarness.PLATFORM.ticker());
        ClientMetadata caller = clientSession == null ? client : client.of(clientSession);
        return target.call(new Call(request, caller, deadline, Caller.SILENT));
    }

    private static Outcome listFor(DetectedEndpoint target, String principal) {
        Message.Request request = Message.Request.of(
                Messages.stateless(7, "tools/list", Messages.PLAIN, "").getBytes(StandardCharsets.UTF_8));
        ClientMetadata client =
                Objects.requireNonNull(ClientMetadata.of(request)).of(new Principal(principal));
        Deadline deadline = new Deadline(LONG, Duration.ZERO, SingleServerHarness.PLATFORM.ticker());
        return target.call(new Call(request, client, deadline, Caller.SILENT));
    }

    @ParameterizedTest
    @EnumSource
    void each_principal_has_a_process_of_its_own_and_its_clients_share_it(Era era) throws IOException {
        DetectedEndpoint target = run(era);
        for (String principal : List.of("ada", "owner", "bob", "ada", "bob", "owner")) {
            assertThat(isListed(listFor(target, principal))).isTrue();
        }
        assertThat(started()).isEqualTo(3);
    }

    private static boolean isListed(Outcome outcome) {
        return outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null;
    }

    @ParameterizedTest
    @EnumSource
    void server_that_answers_the_era_probe_is_started_once(Era era) throws IOException {
        assertThat(isListed(list(run(era), null))).isTrue();
        assertThat(started()).isEqualTo(1);
        assertThat(memory.load())
                .isEqualTo(era == Era.LEGACY ? EraStore.ProbeResult.LEGACY : EraStore.ProbeResult.MODERN);
    }

    @Test
    void server_that_exits_on_the_probe_is_started_twice_in_the_first_run_and_once_in_the_next() throws IOException {
        assertThat(isListed(list(run(Era.LEGACY, "exit-on-early-request"), null)))
                .isTrue();
        assertThat(started()).isEqualTo(2);
        assertThat(isListed(list(run(Era.LEGACY, "exit-on-early-request"), null)))
                .isTrue();
        assertThat(started()).isEqualTo(3);
    }

    /// A server that exits before anything is written to it need not be asked twice: no request was the reason.
    @ParameterizedTest
    @CsvSource({"read request; exit 1, 5, 5", "exit 1, 4, 5"})
    void attempt_to_reach_a_server_that_always_exits_is_one_failure(String script, int least, int most)
            throws IOException {
        DetectedEndpoint target = run(ConnectionSharing.ONE, LONG, ChildSpec.of("/bin/sh", "-c", script));
        for (int attempt = 1; attempt <= 4; attempt++) {
            assertThat(isListed(list(target, null))).isFalse();
            assertThat(failures.count).hasValue(attempt);
        }
        assertThat(started())
                .as("the first attempt that reaches the server also makes a handshake")
                .isBetween(least, most);
    }

    @Test
    void a_server_that_is_silent_on_the_question_is_started_twice_in_the_first_run_and_once_in_the_next()
            throws IOException {
        Duration brief = Duration.ofMillis(100);
        assertThat(isListed(list(run(ConnectionSharing.ONE, brief, Era.LEGACY, "hang-on-discover"), null)))
                .isTrue();
        assertThat(started()).isEqualTo(2);
        assertThat(isListed(list(run(ConnectionSharing.ONE, brief, Era.LEGACY, "hang-on-discover"), null)))
                .isTrue();
        assertThat(started()).isEqualTo(3);
    }

    /// Over five seconds: the server computes for three of them before it reads anything.
    @Test
    @EnabledOnOs(OS.LINUX)
    void a_server_that_is_busy_starting_is_not_taken_for_a_silent_one() throws IOException {
        preparing = "end=$(($(cut -d. -f1 /proc/uptime) + 3)); while read up rest < /proc/uptime;"
                + " [ \"${up%%.*}\" -lt $end ]; do :; done; ";
        assertThat(isListed(list(run(ConnectionSharing.ONE, Duration.ofMillis(100), Era.LEGACY), null)))
                .isTrue();
        assertThat(started()).isEqualTo(1);
        assertThat(memory.load()).isEqualTo(EraStore.ProbeResult.LEGACY);
    }

    @Test
    void a_stateless_server_that_starts_slowly_is_started_once_in_the_next_run() throws IOException {
        memory.keep(EraStore.ProbeResult.MODERN);
        assertThat(isListed(list(run(ConnectionSharing.ONE, Duration.ofMillis(1), Era.MODERN), null)))
                .isTrue();
        assertThat(started()).isEqualTo(1);
    }

    @Test
    void a_server_that_has_become_stateless_since_is_asked_on_the_process_that_refused_the_handshake()
            throws IOException {
        memory.keep(EraStore.ProbeResult.LEGACY);
        assertThat(isListed(list(run(Era.MODERN), null))).isTrue();
        assertThat(started()).isEqualTo(1);
        assertThat(memory.load()).isEqualTo(EraStore.ProbeResult.MODERN);
    }

    @Test
    void a_server_that_has_gone_back_to_sessions_since_is_greeted_on_the_process_that_was_asked() throws IOException {
        memory.keep(EraStore.ProbeResult.MODERN);
        assertThat(isListed(list(run(Era.LEGACY), null))).isTrue();
        assertThat(started()).isEqualTo(1);
        assertThat(memory.load()).isEqualTo(EraStore.ProbeResult.LEGACY);
    }

    /// It lives, so it gets the handshake.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'error': {'code': -32601, 'message': 'no'}",
                "'error': 'no'",
                "'result': {}",
                "'result': 'no'",
                "'jsonrpc': '1.0', 'error': {'code': -32601, 'message': 'no'}"
            })
    void server_that_answers_the_question_in_any_way_gets_the_handshake_on_the_same_process(String answer)
            throws IOException {
        String program = """
                import sys, json
                def say(id, members): print(json.dumps({'jsonrpc': '2.0', 'id': id, **members}), flush=True)
                for line in sys.stdin:
                    m = json.loads(line)
                    method = m.get('method')
                    if method == 'server/discover':
                        say(m['id'], {%s})
                    elif method == 'initialize':
                        say(m['id'], {'result': {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}},
                            'serverInfo': {'name': 'python', 'version': '1'}}})
                    elif 'id' in m:
                        say(m['id'], {'result': {'tools': []}})
                """.formatted(answer);
        DetectedEndpoint target =
                run(ConnectionSharing.ONE, Duration.ofSeconds(5), ChildSpec.of("python3", "-S", "-E", "-c", program));
        assertThat(isListed(list(target, null))).isTrue();
        assertThat(started()).isEqualTo(1);
        assertThat(memory.load()).isEqualTo(EraStore.ProbeResult.LEGACY);
    }

    @ParameterizedTest
    @EnumSource
    void process_of_one_session_is_started_once_and_uses_the_era_of_its_client_if_supported(Era era)
            throws IOException {
        DetectedEndpoint target = run(new ConnectionSharing(Isolation.SESSION, 1), LONG, era);
        assertThat(isListed(list(target, new Session()))).isTrue();
        assertThat(started()).isEqualTo(1);
        assertThat(target.isStateless()).isEqualTo(era == Era.MODERN);
        assertThat(memory.load())
                .as("what it would say to a stateless client is not known of a server that took the handshake")
                .isEqualTo(era == Era.MODERN ? EraStore.ProbeResult.MODERN : null);
    }

    @Test
    void all_but_sessions_with_their_own_process_use_the_stateless_era_with_a_server_of_both() {
        DetectedEndpoint target = run(new ConnectionSharing(Isolation.SESSION, 1), LONG, Era.BOTH);
        assertThat(isListed(list(target, null))).isTrue();
        assertThat(target.isStateless()).isTrue();
        assertThat(isListed(list(target, new Session()))).isTrue();
        assertThat(target.isStateless()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"LEGACY, MODERN", "MODERN, LEGACY"})
    void server_that_is_replaced_by_one_of_the_other_era_works_from_the_second_call_on(Era before, Era after)
            throws IOException {
        DetectedEndpoint target = run(ConnectionSharing.ONE, LONG, replaced(before, after));
        assertThat(isListed(list(target, null))).isTrue();
        Files.createFile(upgrade());
        target.disconnect();
        assertThat(isListed(list(target, null))).isFalse();
        assertThat(isListed(list(target, null))).isTrue();
        assertThat(memory.load())
                .isEqualTo(after == Era.LEGACY ? EraStore.ProbeResult.LEGACY : EraStore.ProbeResult.MODERN);
        assertThat(target.isStateless()).isEqualTo(after == Era.MODERN);
    }

    /// A server that is another one as soon as a file exists.
    private ChildSpec replaced(Era before, Era after) {
        String text = "if [ -e '" + upgrade() + "' ]; then exec " + quoted(after) + "; fi; exec " + quoted(before);
        return ChildSpec.of("/bin/sh", "-c", text);
    }

    private Path upgrade() {
        return folder.resolve("upgrade");
    }

    private static String quoted(Era era) {
        return ScriptedServer.stdio(SingleServerHarness.script(era)).stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
    }
}
