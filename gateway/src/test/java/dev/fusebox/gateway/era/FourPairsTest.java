package dev.fusebox.gateway.era;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Calls of clients of either era to servers of either era, over both fronts. That clients and servers of the
/// session era understand each other is shown elsewhere.
@Tag("process")
@Timeout(120)
class FourPairsTest {
    @TempDir
    private Path folder;

    static Stream<Arguments> fronts_and_servers() {
        return Stream.of(SingleServerHarness.Front.values())
                .flatMap(front -> Stream.of(Era.LEGACY, Era.MODERN).map(era -> Arguments.of(front, era)));
    }

    // ---- Clients of the stateless era

    @ParameterizedTest
    @MethodSource("fronts_and_servers")
    void a_stateless_client_gets_what_its_era_promises_from_any_server(SingleServerHarness.Front front, Era era) {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(front, era)) {
            Wire client = singleServerHarness.wire();
            JsonView discovered = client.answer(Messages.stateless(1, "server/discover", Messages.PLAIN, ""));
            assertThat(Messages.at(discovered, "result", "supportedVersions").json())
                    .contains("2026-07-28");
            assertThat(Messages.text(discovered, "result", "resultType")).isEqualTo("complete");
            assertThat(Messages.text(discovered, "result", "_meta", ClientMetadata.SERVER_INFO, "name"))
                    .isEqualTo("fusebox-fixture");

            JsonView listed = client.answer(Messages.stateless(2, "tools/list", Messages.PLAIN, ""));
            assertThat(Messages.at(listed, "result", "tools").json()).contains("\"dev.fusebox/kept\":[1,2.50,-0,1e2]");
            assertThat(Messages.at(listed, "result", "ttlMs")).isNotNull();
            assertThat(Messages.at(listed, "result", "cacheScope")).isNotNull();

            for (String list : List.of("prompts/list", "resources/list", "resources/templates/list")) {
                assertThat(Messages.text(
                                client.answer(Messages.stateless(3, list, Messages.PLAIN, "")), "result", "resultType"))
                        .isEqualTo("complete");
            }
            assertThat(Messages.said(client.answer(Messages.call(4, Messages.PLAIN, "echo", "{\"text\":\"ü€😀\"}"))))
                    .isEqualTo("ü€😀");
            JsonView missing = client.answer(
                    Messages.stateless(5, "resources/read", Messages.PLAIN, ",\"uri\":\"test://nowhere\""));
            assertThat(Messages.at(missing, "error", "code")).hasToString("-32602");
            for (String gone : List.of("ping", "logging/setLevel", "resources/subscribe", "initialize")) {
                assertThat(Messages.at(client.answer(Messages.stateless(6, gone, Messages.PLAIN, "")), "error", "code"))
                        .hasToString("-32601");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("fronts_and_servers")
    void stateless_client_receives_progress_and_only_requested_log_messages(SingleServerHarness.Front front, Era era) {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(front, era)) {
            Wire client = singleServerHarness.wire();
            String progress = Messages.params(
                    Messages.PLAIN, Messages.progressToken("mine"), Messages.tool("test_tool_with_progress", "{}"));
            List<JsonView> all = client.ask(Messages.request(1, "tools/call", progress));
            assertThat(all).hasSize(4);
            assertThat(all.subList(0, 3))
                    .allMatch(step ->
                            Messages.text(step, "params", "progressToken").equals("mine"));

            for (String capabilities : List.of(Messages.PLAIN, Messages.ABLE)) {
                assertThat(logged(client, capabilities, "")).isZero();
                assertThat(logged(client, capabilities, Messages.logLevel("debug")))
                        .isEqualTo(3);
                assertThat(logged(client, capabilities, Messages.logLevel("error")))
                        .isZero();
                assertThat(logged(client, capabilities, "")).isZero();
            }
        }
    }

    @Test
    void open_subscription_does_not_take_log_messages_of_other_calls() {
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(SingleServerHarness.Front.HTTP, Era.MODERN)) {
            String listen = Messages.params(
                    Messages.PLAIN, Messages.logLevel("debug"), ",\"notifications\":{\"toolsListChanged\":true}");
            Wire.Stream subscription =
                    singleServerHarness.wire().open(Messages.request(9, "subscriptions/listen", listen));
            assertThat(subscription.next()).as("the acknowledgement").isNotNull();
            assertThat(logged(singleServerHarness.wire(), Messages.PLAIN, Messages.logLevel("debug")))
                    .isEqualTo(3);
            subscription.close();
        }
    }

    private static long logged(Wire client, String capabilities, String level) {
        String params = Messages.params(capabilities, level, Messages.tool("test_tool_with_logging", "{}"));
        return Messages.methods(client.ask(Messages.request(2, "tools/call", params))).stream()
                .filter(method -> method.equals("notifications/message"))
                .count();
    }

    @ParameterizedTest
    @MethodSource("fronts_and_servers")
    void a_stateless_client_that_leaves_cancels_what_it_has_asked_for(SingleServerHarness.Front front, Era era) {
        Path journal = folder.resolve("journal");
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(front, SingleServerHarness.noting(journal, era))) {
            String params = Messages.params(
                    Messages.PLAIN,
                    Messages.progressToken("mine"),
                    Messages.tool("echo", "{\"fault\":\"progress-forever=20\"}"));
            Wire.Stream call = singleServerHarness.wire().open(Messages.request(1, "tools/call", params));
            assertThat(call.next()).isNotNull();
            call.close();

            eventually("the cancellation of echo is noted", () -> noted(journal, "echo:cancelled"));
            assertThat(Messages.said(singleServerHarness
                            .wire()
                            .answer(Messages.call(2, Messages.PLAIN, "echo", "{\"text\":\"on\"}"))))
                    .isEqualTo("on");
        }
    }

    static boolean noted(Path journal, String what) {
        try {
            return Files.exists(journal) && Files.readAllLines(journal).stream().anyMatch(line -> line.endsWith(what));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Era.class,
            names = {"LEGACY", "MODERN"})
    void clients_with_the_same_ids_get_their_own_answers_and_progress(Era era) {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(SingleServerHarness.Front.HTTP, era)) {
            List<CompletableFuture<List<String>>> clients = IntStream.range(0, 4)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> many(singleServerHarness, "client " + i)))
                    .toList();
            for (int i = 0; i < clients.size(); i++) {
                assertThat(get(clients.get(i))).hasSize(25).containsOnly("client " + i);
            }
        }
    }

    /// Texts and tokens that came.
    private static List<String> many(SingleServerHarness singleServerHarness, String name) {
        List<String> texts = new ArrayList<>();
        try (Wire client = singleServerHarness.another()) {
            for (int id = 1; id <= 20; id++) {
                String call = Messages.call(id, Messages.PLAIN, "echo", "{\"text\":\"" + name + "\"}");
                texts.add(Messages.said(client.answer(call)));
            }
            String params = Messages.params(
                    Messages.PLAIN, Messages.progressToken(name), Messages.tool("test_tool_with_progress", "{}"));
            List<JsonView> all = client.ask(Messages.request(21, "tools/call", params));
            all.subList(0, 3).forEach(step -> texts.add(Messages.text(step, "params", "progressToken")));
            texts.addAll(List.of(name, name));
        }
        return texts;
    }

    private static List<String> get(CompletableFuture<List<String>> client) {
        try {
            return client.get(SingleServerHarness.SOON.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("fronts_and_servers")
    void crash_is_reported_and_the_next_call_starts_a_new_server(SingleServerHarness.Front front, Era era) {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(front, era)) {
            for (String capabilities : List.of(Messages.PLAIN, Messages.ABLE)) {
                JsonView crashed = singleServerHarness
                        .wire()
                        .answer(Messages.call(1, capabilities, "crash", "{\"how\":\"KILL\"}"));
                assertThat(Messages.kind(crashed)).isEqualTo("server_crashed stdio-exit unknown");
                assertThat(Messages.said(singleServerHarness
                                .wire()
                                .answer(Messages.call(2, capabilities, "echo", "{\"text\":\"new\"}"))))
                        .isEqualTo("new");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Era.class,
            names = {"LEGACY", "MODERN"})
    void more_than_may_be_worked_on_at_once_is_refused_before_it_reaches_the_server(Era era) {
        Path journal = folder.resolve("journal");
        ChildSpec spec = SingleServerHarness.server(SingleServerHarness.noting(journal, era));
        SessionSettings narrow = SessionSettings.of("server").withCalls(10, 2_000);
        UnaryOperator<FrontTarget> shape = frontTarget -> frontTarget.with(narrow);
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(SingleServerHarness.Front.HTTP, spec, shape)) {
            String padding = ",\"text\":\"" + "x".repeat(1_000) + "\"}";
            String params = Messages.params(
                    Messages.PLAIN,
                    Messages.progressToken("mine"),
                    Messages.tool("echo", "{\"fault\":\"progress-forever=20\"" + padding));
            Wire.Stream call = singleServerHarness.wire().open(Messages.request(1, "tools/call", params));
            assertThat(call.next()).isNotNull();

            JsonView refused =
                    singleServerHarness.wire().answer(Messages.call(2, Messages.PLAIN, "fail", "{\"a\":1" + padding));
            assertThat(Messages.kind(refused)).isEqualTo("overloaded local not_sent");
            call.close();
            eventually(
                    "the padded call is answered",
                    () -> assertThat(Messages.said(singleServerHarness
                                    .wire()
                                    .answer(Messages.call(3, Messages.PLAIN, "echo", "{\"a\":1" + padding))))
                            .startsWith("xxx"));
            assertThat(noted(journal, "fail")).isFalse();
        }
    }

    // ---- Clients of the session era before a server of the stateless era

    @ParameterizedTest
    @EnumSource(SingleServerHarness.Front.class)
    void a_session_client_gets_what_its_era_promises_from_a_stateless_server(SingleServerHarness.Front front) {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(front, Era.MODERN)) {
            Wire client = singleServerHarness.wire();
            JsonView welcome = client.hello(Messages.PLAIN);
            assertThat(Messages.text(welcome, "result", "protocolVersion")).isEqualTo("2025-11-25");
            assertThat(Messages.text(welcome, "result", "serverInfo", "name")).isEqualTo("fusebox-fixture");

            assertThat(client.answer(Messages.request(1, "ping", "{}")).member("result"))
                    .isNotNull();
            assertThat(Messages.at(client.answer(Messages.request(2, "tools/list", "{}")), "result", "tools")
                            .elements())
                    .hasSizeGreaterThan(20);
            assertThat(Messages.said(client.answer(Messages.sessionCall(3, "echo", "{\"text\":\"over\"}"))))
                    .isEqualTo("over");

            String progress = "{\"_meta\":{\"progressToken\":7},\"name\":\"test_tool_with_progress\"}";
            List<JsonView> all = client.ask(Messages.request(4, "tools/call", progress));
            assertThat(Messages.methods(all))
                    .containsExactly(
                            "notifications/progress", "notifications/progress", "notifications/progress", "answer");
            assertThat(Messages.at(all.getFirst(), "params", "progressToken")).hasToString("7");
        }
    }

    @ParameterizedTest
    @EnumSource(SingleServerHarness.Front.class)
    void session_client_sets_the_log_level_of_a_stateless_server(SingleServerHarness.Front front) {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(front, Era.MODERN)) {
            Wire client = singleServerHarness.wire();
            client.hello(Messages.PLAIN);
            client.answer(Messages.request(1, "logging/setLevel", "{\"level\":\"debug\"}"));
            assertThat(Messages.methods(client.ask(Messages.sessionCall(2, "test_tool_with_logging", "{}"))))
                    .containsExactly(
                            "notifications/message", "notifications/message", "notifications/message", "answer");
            client.answer(Messages.request(3, "logging/setLevel", "{\"level\":\"error\"}"));
            assertThat(Messages.methods(client.ask(Messages.sessionCall(4, "test_tool_with_logging", "{}"))))
                    .containsExactly("answer");
        }
    }

    @ParameterizedTest
    @EnumSource(SingleServerHarness.Front.class)
    void a_level_of_the_log_that_is_none_is_refused_and_spoils_no_later_call(SingleServerHarness.Front front) {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(front, Era.MODERN)) {
            Wire client = singleServerHarness.wire();
            client.hello(Messages.PLAIN);
            for (String params : List.of("{\"level\":\"loud\"}", "{\"level\":5}", "{}")) {
                JsonView refused = client.answer(Messages.request(1, "logging/setLevel", params));
                assertThat(Messages.at(refused, "error", "code")).hasToString("-32602");
            }
            assertThat(Messages.said(client.answer(Messages.sessionCall(2, "echo", "{\"text\":\"here\"}"))))
                    .isEqualTo("here");
        }
    }

    @ParameterizedTest
    @EnumSource(SingleServerHarness.Front.class)
    void a_session_client_that_cancels_cancels_the_call_of_a_stateless_server(SingleServerHarness.Front front) {
        Path journal = folder.resolve("journal");
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(front, SingleServerHarness.noting(journal, Era.MODERN))) {
            Wire client = singleServerHarness.wire();
            client.hello(Messages.PLAIN);
            String params = "{\"_meta\":{\"progressToken\":1},\"name\":\"echo\","
                    + "\"arguments\":{\"fault\":\"progress-forever=20\"}}";
            Wire.Stream call = client.open(Messages.request(1, "tools/call", params));
            eventually("the call of echo is noted", () -> noted(journal, "echo"));
            client.say(Messages.cancelled(1));

            eventually("the cancellation of echo is noted", () -> noted(journal, "echo:cancelled"));
            assertThat(Messages.said(client.answer(Messages.sessionCall(2, "echo", "{\"text\":\"on\"}"))))
                    .isEqualTo("on");
            call.close();
        }
    }

    @ParameterizedTest
    @EnumSource(SingleServerHarness.Front.class)
    void unknown_result_type_fails_the_call_of_a_session_client(SingleServerHarness.Front front) {
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(front, Era.MODERN, "unknown-result-type@1")) {
            Wire client = singleServerHarness.wire();
            client.hello(Messages.PLAIN);
            assertThat(Messages.kind(client.answer(Messages.sessionCall(1, "echo", "{}"))))
                    .isEqualTo("protocol_violation protocol rejected");
            assertThat(Messages.said(client.answer(Messages.sessionCall(2, "echo", "{\"text\":\"good\"}"))))
                    .isEqualTo("good");
        }
    }
}
