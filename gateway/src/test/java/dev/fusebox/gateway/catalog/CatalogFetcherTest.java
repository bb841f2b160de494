package dev.fusebox.gateway.catalog;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.observe.CapturedLog;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is made of the answers of a server that is asked what it offers.
class CatalogFetcherTest {
    private static final String SAYS = "{\"capabilities\":{\"tools\":{},\"prompts\":{}}}";
    private static final String TOOL = "{\"name\":\"work\",\"inputSchema\":{\"type\":\"object\"}}";
    private static final String TOOLS = "{\"tools\":[" + TOOL + "]}";
    private static final String GONE = "error -32601";

    private static final String PROMPTS = "{\"prompts\":[{\"name\":\"greet\"}]}";
    private static final CatalogContents LAST = new CatalogContents(
            Map.of(CatalogKind.PROMPTS, List.of(new CatalogEntry("old", JsonView.of("{\"name\":\"old\"}")))));

    /// @param failure of the list of prompts
    private static CatalogFetcher.Listed listedUntil(CallFailure failure) {
        Map<String, String> answers = Map.of("server/discover", SAYS, "tools/list", TOOLS);
        CatalogFetcher.RequestSender requestSender = (method, params) -> answers.containsKey(method)
                ? new Outcome.Answered(Message.Answer.of(JsonRpcFrames.result(RequestId.of("1"), answers.get(method))))
                : new Outcome.Failed(failure);
        return new CatalogFetcher("shop", requestSender, 10).fetch(LAST);
    }

    /// @param answers by method, and by method and cursor: a result, or `error` and a code
    private static CatalogFetcher.Listed listed(Map<String, String> answers) {
        CatalogFetcher.RequestSender requestSender = (method, params) -> {
            String cursor = params.equals("{}") ? "" : " " + params.replaceAll(".*:\"|\".*", "");
            String answer = answers.getOrDefault(method + cursor, GONE);
            RequestId id = RequestId.of("1");
            byte[] frame = answer.startsWith("error ")
                    ? JsonRpcFrames.error(id, Integer.parseInt(answer.substring(6)), "no", null)
                    : JsonRpcFrames.result(id, answer);
            return new Outcome.Answered(Message.Answer.of(frame));
        };
        return new CatalogFetcher("shop", requestSender, 10).fetch(LAST);
    }

    private static Map<CatalogKind, ListHint> hints(Map<String, String> answers) {
        return ((CatalogFetcher.Listed.All) listed(answers)).hints();
    }

    @Test
    void list_has_the_hints_of_all_its_pages_and_one_that_is_missing_those_of_the_server() {
        String says =
                "{\"resultType\":\"complete\",\"capabilities\":{\"tools\":{\"listChanged\":true},\"resources\":{}},"
                        + "\"ttlMs\":9000,\"cacheScope\":\"public\"}";
        String first = "{\"tools\":[" + TOOL + "],\"nextCursor\":\"2\",\"ttlMs\":7000,\"cacheScope\":\"public\"}";
        String second = "{\"tools\":[],\"ttlMs\":5000,\"cacheScope\":\"private\"}";
        Map<CatalogKind, ListHint> hints = hints(Map.of(
                "server/discover",
                says,
                "tools/list",
                first,
                "tools/list 2",
                second,
                "resources/list",
                "error -32603"));
        assertThat(hints)
                .containsOnly(
                        Map.entry(CatalogKind.TOOLS, new ListHint(Duration.ofSeconds(5), true, true)),
                        Map.entry(CatalogKind.PROMPTS, new ListHint(Duration.ofSeconds(9), false, true)),
                        Map.entry(CatalogKind.TEMPLATES, new ListHint(Duration.ofSeconds(9), false, true)),
                        Map.entry(CatalogKind.SKILLS, new ListHint(Duration.ofSeconds(9), false, true)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "1e3", "\"60000\"", "null", "1234567890123456"})
    void malformed_ttl_counts_as_zero(String ttl) {
        String tools = "{\"tools\":[" + TOOL + "],\"ttlMs\":" + ttl + ",\"cacheScope\":\"public\"}";
        assertThat(hints(Map.of("server/discover", SAYS, "tools/list", tools)).get(CatalogKind.TOOLS))
                .isEqualTo(new ListHint(Duration.ZERO, false, false));
    }

    @Test
    void server_of_the_legacy_era_gives_no_time() {
        Map<CatalogKind, ListHint> hints = hints(Map.of("server/discover", SAYS, "tools/list", TOOLS));
        assertThat(hints.get(CatalogKind.TOOLS)).isEqualTo(new ListHint(null, false, false));
        assertThat(hints.get(CatalogKind.RESOURCES)).isEqualTo(new ListHint(null, false, true));
    }

    @Test
    void unsupported_list_is_empty() {
        CatalogFetcher.Listed listed = listed(Map.of("server/discover", SAYS, "tools/list", TOOLS));
        assertThat(listed).isInstanceOfSatisfying(CatalogFetcher.Listed.All.class, all -> {
            assertThat(all.contents().of(CatalogKind.TOOLS)).hasSize(1);
            assertThat(all.contents().of(CatalogKind.PROMPTS)).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"error -32603", "error -32602", "{}", "{\"prompts\":{}}", "{\"prompts\":null}"})
    void any_other_answer_than_a_list_leaves_the_last_list_and_costs_no_other(String answer) {
        assertThat(listed(Map.of("server/discover", SAYS, "tools/list", TOOLS, "prompts/list", answer)))
                .isInstanceOfSatisfying(CatalogFetcher.Listed.All.class, all -> {
                    assertThat(all.contents().of(CatalogKind.TOOLS)).hasSize(1);
                    assertThat(all.contents().of(CatalogKind.PROMPTS)).isEqualTo(LAST.of(CatalogKind.PROMPTS));
                    assertThat(all.failures()).containsOnlyKeys(CatalogKind.PROMPTS);
                    assertThat(all.failures().get(CatalogKind.PROMPTS)).startsWith("shop answers prompts/list with");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"error -32603", "error -32602", "{}", "{\"tools\":null}"})
    void a_list_of_tools_that_fails_costs_all_others(String answer) {
        assertThat(listed(Map.of("server/discover", SAYS, "tools/list", answer, "prompts/list", PROMPTS)))
                .isInstanceOf(CatalogFetcher.Listed.Failed.class);
    }

    @Test
    void server_that_exits_while_it_lists_its_prompts_has_listed_nothing() {
        CallFailure died = new CallFailure(
                ErrorId.SERVER_EXITED,
                FailureCategory.STDIO_EXIT,
                Delivery.UNKNOWN,
                "exited with code 1",
                Evidence.NONE);
        assertThat(listedUntil(died)).isEqualTo(new CatalogFetcher.Listed.Failed(died));
    }

    @Test
    void a_server_that_does_not_answer_for_its_prompts_lists_its_tools() {
        assertThat(listedUntil(CallFailure.timeout("no answer within 60000 ms")))
                .isInstanceOfSatisfying(CatalogFetcher.Listed.All.class, all -> {
                    assertThat(all.contents().of(CatalogKind.TOOLS)).hasSize(1);
                    assertThat(all.failures())
                            .containsExactly(Map.entry(
                                    CatalogKind.PROMPTS, "shop: prompts/list failed: no answer within 60000 ms"));
                });
    }

    @Test
    void list_larger_than_the_limit_is_cut_and_the_server_stays_usable() {
        String large = "{\"tools\":[{\"name\":\"large\",\"description\":\"" + "x".repeat(33 << 20)
                + "\",\"inputSchema\":{}}]}";
        assertThat(listed(Map.of("server/discover", SAYS, "tools/list", large)))
                .isInstanceOfSatisfying(
                        CatalogFetcher.Listed.All.class,
                        all -> assertThat(all.contents().of(CatalogKind.TOOLS)).isEmpty());
    }

    @Test
    void tools_without_a_usable_name_are_left_out_and_the_others_stay() {
        String odd = "{\"name\":\"\",\"inputSchema\":{}},{\"name\":7,\"inputSchema\":{}},{\"name\":\""
                + "x".repeat(2_000) + "\",\"inputSchema\":{}},";
        assertThat(listed(Map.of("server/discover", SAYS, "tools/list", "{\"tools\":[" + odd + TOOL + "]}")))
                .isInstanceOfSatisfying(
                        CatalogFetcher.Listed.All.class,
                        all -> assertThat(all.contents().of(CatalogKind.TOOLS)).hasSize(1));
    }

    @Test
    void tools_with_hidden_characters_in_their_names_are_left_out_with_one_warning() {
        String hidden = "{\"name\":\"a\\u0007\",\"inputSchema\":{}},{\"name\":\"w\u202Eork\",\"inputSchema\":{}},"
                + "{\"name\":\"\\u001b[2Jx\",\"inputSchema\":{}}";
        Map<String, String> answers =
                Map.of("server/discover", SAYS, "tools/list", "{\"tools\":[" + hidden + "," + TOOL + "]}");
        try (CapturedLog log = CapturedLog.of(CatalogFetcher.class)) {
            assertThat(listed(answers))
                    .isInstanceOfSatisfying(
                            CatalogFetcher.Listed.All.class,
                            all -> assertThat(all.contents().of(CatalogKind.TOOLS))
                                    .extracting(CatalogEntry::own)
                                    .containsExactly("work"));
            assertThat(log.lines("shop"))
                    .singleElement(as(STRING))
                    .contains("omitted tools: 3", "\"a\", \"work\", \"[2Jx\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "true", "{\"page\":2}", "[\"two\"]"})
    void cursor_that_is_no_string_ends_the_list_with_a_warning(String cursor) {
        String first = "{\"tools\":[" + TOOL + "],\"nextCursor\":" + cursor + "}";
        try (CapturedLog log = CapturedLog.of(CatalogFetcher.class)) {
            assertThat(listed(Map.of("server/discover", SAYS, "tools/list", first)))
                    .isInstanceOfSatisfying(
                            CatalogFetcher.Listed.All.class,
                            all -> assertThat(all.contents().of(CatalogKind.TOOLS))
                                    .hasSize(1));
            assertThat(log.lines("shop"))
                    .singleElement(as(STRING))
                    .contains("shop violates the protocol: nextCursor", "tools/list is " + cursor, "not a string");
        }
    }

    @Test
    void cursor_that_is_null_ends_the_list_without_a_warning() {
        String first = "{\"tools\":[" + TOOL + "],\"nextCursor\":null}";
        try (CapturedLog log = CapturedLog.of(CatalogFetcher.class)) {
            assertThat(listed(Map.of("server/discover", SAYS, "tools/list", first)))
                    .isInstanceOf(CatalogFetcher.Listed.All.class);
            assertThat(log.lines("shop")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {GONE, "error -32603", "{}"})
    void a_list_that_breaks_off_is_none(String second) {
        String first = "{\"tools\":[" + TOOL + "],\"nextCursor\":\"two\"}";
        assertThat(listed(Map.of("server/discover", SAYS, "tools/list", first, "tools/list two", second)))
                .isInstanceOf(CatalogFetcher.Listed.Failed.class);
    }
}
