package dev.fusebox.gateway.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Principal;
import dev.fusebox.gateway.session.ResultFormat;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Results that are too long are cut or refused, and what is cut off can be read. Random tests print their seed.
class ResultLimiterTest {
    private static final long NONE = Long.MAX_VALUE;
    private static final Duration KEEP = Duration.ofMinutes(10);

    private final ManualTime time = new ManualTime();
    private final ResultStore store = new ResultStore(time.platform(), SecretIds.system(), 1 << 20);
    private final ResultLimiter limiter = new ResultLimiter(store);

    private static ResultSource source(long maxBytes) {
        return new ResultSource("jira", maxBytes, Principal.OWNER, ResultFormat.STATELESS, false);
    }

    private static Outcome.Answered answered(String result) {
        return new Outcome.Answered(Message.Answer.of(JsonRpcFrames.result(RequestId.of("1"), result)));
    }

    private static String text(String text) {
        return "{\"type\":\"text\",\"text\":" + JsonWriter.quoted(text) + "}";
    }

    private static String content(String... items) {
        return "{\"content\":[" + String.join(",", items) + "]}";
    }

    /// The result for the client.
    private JsonView limited(String result, long maxBytes) {
        return limited(result, source(maxBytes));
    }

    private JsonView limited(String result, ResultSource source) {
        Outcome outcome = limiter.limit(answered(result), source);
        assertThat(outcome).isInstanceOf(Outcome.Answered.class);
        return Objects.requireNonNull(((Outcome.Answered) outcome).answer().result());
    }

    private CallFailure refused(String result, long maxBytes) {
        Outcome outcome = limiter.limit(answered(result), source(maxBytes));
        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        CallFailure failure = ((Outcome.Failed) outcome).failure();
        assertThat(failure.id()).isEqualTo(ErrorId.RESULT_TOO_LARGE);
        return failure;
    }

    private static List<JsonView> items(JsonView result) {
        return Objects.requireNonNull(result.member("content")).elements();
    }

    private static String said(JsonView item) {
        return Objects.requireNonNull(item.string("text"));
    }

    private JsonView read(String uri, Principal principal) {
        byte[] frame =
                JsonRpcFrames.request(RequestId.of("2"), "resources/read", "{\"uri\":" + JsonWriter.quoted(uri) + "}");
        Deadline deadline = new Deadline(KEEP, Duration.ZERO, time.platform().ticker());
        Call call = new Call(Message.Request.of(frame), deadline, Caller.SILENT);
        Outcome outcome = limiter.read(call.of(ClientMetadata.UNKNOWN.of(principal)), uri, ResultFormat.STATELESS);
        return ((Outcome.Answered) outcome).answer().frame();
    }

    private String part(String uri) {
        JsonView contents = Objects.requireNonNull(read(uri, Principal.OWNER).path("result", "contents"));
        return said(contents.elements().getFirst());
    }

    private static JsonView cut(JsonView result) {
        return Objects.requireNonNull(result.path("_meta", "fusebox/cut"));
    }

    private static String first(JsonView result) {
        return Objects.requireNonNull(cut(result).string("uri"));
    }

    /// All parts that the client does not have yet.
    private String rest(JsonView result) {
        StringBuilder rest = new StringBuilder();
        String uri = first(result);
        while (uri != null) {
            JsonView read = Objects.requireNonNull(read(uri, Principal.OWNER).member("result"));
            rest.append(said(
                    Objects.requireNonNull(read.member("contents")).elements().getFirst()));
            uri = Objects.requireNonNull(read.path("_meta", "fusebox/part")).string("next");
        }
        return rest.toString();
    }

    // ---- Text

    @Test
    void result_within_its_limits_is_the_same_object() {
        Outcome.Answered outcome = answered(content(text("x".repeat(100))));
        assertThat(limiter.limit(outcome, source(100))).isSameAs(outcome);
        assertThat(limiter.isWithin(outcome, NONE)).isTrue();
        assertThat(limiter.isWithin(outcome, 100))
                .as("the frame is longer than the text")
                .isFalse();
        assertThat(limiter.isWithin(outcome, outcome.answer().frame().length())).isTrue();
    }

    @Test
    void cut_text_and_its_rest_are_the_whole_text() {
        for (int run = 0; run < 60; run++) {
            Random random = new Random(run);
            String text = RandomText.of(random, 50 + random.nextInt(200));
            int limit = 1 + random.nextInt(100);
            if (TextBudget.of(text).bytes() <= limit) {
                continue;
            }
            JsonView result = limited(content(text(text)), limit);
            boolean isEmpty = items(result).size() == 2;
            String shown = isEmpty ? "" : said(items(result).getFirst());
            assertThat(TextBudget.of(shown).bytes()).as("seed %s", run).isLessThanOrEqualTo(limit);
            assertThat(shown + rest(result)).as("seed %s, limit %s", run, limit).isEqualTo(text);
        }
    }

    @Test
    void escapes_of_a_server_are_decoded_before_text_is_cut() {
        String escaped = "\\ud83d\\ude00".repeat(10) + "\\ud83d" + "\\u00e9\\n\\u2028\\/" + "\\ude00";
        JsonView result = limited("{\"content\":[{\"type\":\"text\",\"text\":\"" + escaped + "\"}]}", 10);
        String shown = said(items(result).getFirst());
        assertThat(shown).isEqualTo("😀😀");
        assertThat(shown + rest(result)).isEqualTo("😀".repeat(10) + "\ud83d" + "é\n\u2028/" + "\ude00");
    }

    @Test
    void note_says_how_much_is_left_and_how_to_get_it() {
        JsonView result = limited(content(text("line\n".repeat(100))), 100);
        String uri = first(result);
        assertThat(items(result)).hasSize(3);
        assertThat(said(items(result).get(1)))
                .contains("100 of 500 bytes", "maxResultBytes of jira is 100", "in parts 2 to 5", uri, "10 min")
                .doesNotContain("mcp_execute");
        JsonView link = items(result).get(2);
        assertThat(link.string("type")).isEqualTo("resource_link");
        assertThat(link.string("uri")).isEqualTo(uri).endsWith("/2");
        assertThat(link.member("size")).hasToString("100");
        assertThat(cut(result).json())
                .contains("\"bytes\":500", "\"shownBytes\":100", "\"part\":2,\"parts\":5", "\"keepMs\":600000");
    }

    @Test
    void session_of_an_old_revision_gets_no_link() {
        ResultSource old = new ResultSource("jira", 100, Principal.OWNER, ResultFormat.TEXT_ONLY, true);
        JsonView result = limited(content(text("x".repeat(500))), old);
        assertThat(items(result)).hasSize(2);
        assertThat(said(items(result).get(1))).contains("fusebox://fusebox/results/", "mcp_execute");
    }

    @Test
    void every_part_is_within_the_limit_and_names_the_next() {
        JsonView result = limited(content(text("word ".repeat(200))), 100);
        JsonView part =
                Objects.requireNonNull(read(first(result), Principal.OWNER).member("result"));
        assertThat(part.json())
                .contains("\"resultType\":\"complete\"", "\"cacheScope\":\"private\"", "\"ttlMs\":600000");
        assertThat(TextBudget.of(part(first(result))).bytes()).isLessThanOrEqualTo(100);
        String next = Objects.requireNonNull(
                Objects.requireNonNull(part.path("_meta", "fusebox/part")).string("next"));
        assertThat(next).endsWith("/3");
        assertThat(read(next.replaceAll("/3$", "/10"), Principal.OWNER).json()).contains("\"part\":10,\"parts\":10}");
        assertThat(read(next.replaceAll("/3$", "/11"), Principal.OWNER).json()).contains("-32602");
        assertThat(read(next.replaceAll("/3$", "/1"), Principal.OWNER).json()).contains("word word");
    }

    @Test
    void texts_of_several_items_share_the_limit_and_other_items_stay() {
        String image = "{\"type\":\"image\",\"data\":\"AAAA\",\"mimeType\":\"image/png\"}";
        String embedded =
                "{\"type\":\"resource\",\"resource\":{\"uri\":\"a://b\",\"text\":\"" + "e".repeat(60) + "\"}}";
        JsonView result = limited(content(text("first"), embedded, image, text("third"), text("fourth")), 50);
        assertThat(items(result)).hasSize(5);
        assertThat(items(result).get(0).json()).isEqualTo(text("first"));
        assertThat(items(result).get(1).path("resource", "text")).hasToString("\"" + "e".repeat(45) + "\"");
        assertThat(items(result).get(3).string("type")).isEqualTo("resource_link");
        assertThat(items(result).get(4).json()).isEqualTo(image);
        assertThat(rest(result)).isEqualTo("e".repeat(15) + "\nthird\nfourth");
    }

    @Test
    void everything_else_of_a_result_stays_as_it_was() {
        String rest = "\"isError\":true,\"x-unknown\":{\"a\":[1.50,null]},\"_meta\":{\"their\":1,\"fusebox/cut\":0}";
        String result = "{\"content\":[" + text("x".repeat(50)) + "]," + rest + "}";
        JsonView cut = limited(result, 10);
        assertThat(cut.json()).contains("\"isError\":true,\"x-unknown\":{\"a\":[1.50,null]}", "\"their\":1");
        assertThat(cut(cut).member("bytes")).hasToString("50");
    }

    @Test
    void text_of_a_resource_is_cut_and_the_note_is_a_content_of_its_own() {
        String result = "{\"contents\":[{\"uri\":\"file:///a\",\"mimeType\":\"text/plain\",\"text\":\"" + "a".repeat(50)
                + "\"}],\"ttlMs\":5,\"cacheScope\":\"public\"}";
        JsonView cut = limited(result, 20);
        List<JsonView> contents = Objects.requireNonNull(cut.member("contents")).elements();
        assertThat(contents).hasSize(2);
        assertThat(contents.get(0).json())
                .isEqualTo("{\"uri\":\"file:///a\",\"mimeType\":\"text/plain\",\"text\":\"" + "a".repeat(20) + "\"}");
        assertThat(contents.get(1).string("uri")).isEqualTo(first(cut));
        assertThat(said(contents.get(1))).contains("20 of 50 bytes");
        assertThat(rest(cut)).isEqualTo("a".repeat(30));
        assertThat(cut.json())
                .as("the address is for one principal")
                .contains("\"ttlMs\":5,\"cacheScope\":\"private\"");
    }

    @Test
    void text_beside_members_without_a_value_is_cut() {
        String item = "{\"type\":\"text\",\"text\":\"" + "x".repeat(200) + "\",\"resource\":null,\"data\":null}";
        JsonView cut = limited(content(item), 100);
        assertThat(said(items(cut).getFirst())).hasSize(100);
        assertThat(rest(cut)).hasSize(100);
    }

    @Test
    void text_of_nothing_but_combining_marks_is_cut_and_can_be_read() {
        String marks = "\u0301".repeat(2_000);
        for (int limit : List.of(1, 100, 1_001)) {
            JsonView cut = limited(content(text(marks)), limit);
            String shown = items(cut).size() == 2 ? "" : said(items(cut).getFirst());
            assertThat(TextBudget.of(shown).bytes()).isLessThanOrEqualTo(limit);
            assertThat(shown + rest(cut)).isEqualTo(marks);
        }
    }

    @Test
    void result_that_asks_the_client_for_more_is_not_cut() {
        String result = "{\"resultType\":\"input_required\",\"content\":[" + text("x".repeat(100)) + "]}";
        assertThat(limited(result, 10).json()).isEqualTo(result);
    }

    // ---- What cannot be cut

    @Test
    void structured_content_is_refused_with_its_size_and_can_be_read_as_text() {
        String object = "{\"rows\":[" + "1,".repeat(99) + "1]}";
        String result = "{\"content\":[" + text(object) + "],\"structuredContent\":" + object + "}";
        CallFailure failure = refused(result, 100);
        assertThat(failure.message())
                .contains(
                        "jira has structured content of " + object.length() + " bytes", "maxResultBytes of jira is 100")
                .contains("the call was executed", "in parts 1 to 3");
        String uri = failure.message().replaceAll("(?s).*?(fusebox://\\S+/1) .*", "$1");
        String all = List.of(1, 2, 3).stream()
                .map(number -> part(uri.replaceAll("/1$", "/" + number)))
                .collect(Collectors.joining());
        assertThat(all).isEqualTo(object);
    }

    @Test
    void structured_content_without_other_content_is_refused_too() {
        String object = "{\"rows\":[" + "1,".repeat(99) + "1]}";
        for (String before : List.of("", "\"content\":null,")) {
            String result = "{" + before + "\"structuredContent\":" + object + "}";
            assertThat(refused(result, 100).message())
                    .contains("structured content of " + object.length() + " bytes", "the call was executed");
            assertThat(limited(result, object.length()).json()).isEqualTo(result);
        }
        limiter.setRules(new ResultRules(20, KEEP));
        assertThat(refused("{\"structuredContent\":" + object + "}", NONE).message())
                .contains("results.maxTokens is 20");
    }

    @Test
    void structured_content_within_the_limit_stays_beside_cut_text() {
        JsonView cut = limited("{\"content\":[" + text("x".repeat(200)) + "],\"structuredContent\":{\"a\":1}}", 100);
        assertThat(cut.member("structuredContent")).hasToString("{\"a\":1}");
        assertThat(said(items(cut).getFirst())).hasSize(100);
    }

    @Test
    void images_and_blobs_are_refused_with_their_size() {
        String data = "A".repeat(400);
        String image = "{\"type\":\"image\",\"data\":\"" + data + "\",\"mimeType\":\"image/png\"}";
        String blob = "{\"type\":\"resource\",\"resource\":{\"uri\":\"a://b\",\"blob\":\"" + data + "\"}}";
        String contents = "{\"contents\":[{\"uri\":\"a://b\",\"blob\":\"" + data + "\"}]}";
        for (String result : List.of(content(image), content(text("a"), blob), contents)) {
            assertThat(refused(result, 399).message()).contains("binary content of 400 bytes");
            assertThat(limited(result, 400).json()).isEqualTo(result);
        }
    }

    // ---- Tokens

    @Test
    void whole_result_is_within_its_tokens() {
        limiter.setRules(new ResultRules(1_000, KEEP));
        for (int run = 0; run < 15; run++) {
            Random random = new Random(run);
            String text = RandomText.of(random, 3_000);
            JsonView cut = limited(content(text(text)), NONE);
            assertThat(TokenEstimate.of(cut.length())).as("seed %s", run).isLessThanOrEqualTo(1_000);
            assertThat(said(items(cut).get(1))).contains("results.maxTokens is 1000");
            JsonView part =
                    Objects.requireNonNull(read(first(cut), Principal.OWNER).member("result"));
            assertThat(TokenEstimate.of(part.length())).as("seed %s", run).isLessThanOrEqualTo(1_000);
            assertThat(said(items(cut).getFirst()) + rest(cut))
                    .as("seed %s", run)
                    .isEqualTo(text);
        }
    }

    @Test
    void needless_escapes_do_not_cost_text() {
        limiter.setRules(new ResultRules(1_000, KEEP));
        JsonView result =
                limited("{\"content\":[{\"type\":\"text\",\"text\":\"" + "\\u0041".repeat(1_000) + "\"}]}", NONE);
        assertThat(items(result)).hasSize(1);
        assertThat(said(items(result).getFirst())).isEqualTo("A".repeat(1_000));
    }

    @Test
    void content_other_than_text_is_refused_if_it_alone_has_too_many_tokens() {
        limiter.setRules(new ResultRules(100, KEEP));
        String object = "{\"a\":\"" + "x".repeat(500) + "\"}";
        assertThat(refused("{\"content\":[],\"structuredContent\":" + object + "}", NONE)
                        .message())
                .contains("structured content of 508 bytes", "results.maxTokens is 100");
        assertThat(refused("{\"content\":[],\"x\":" + object + "}", NONE).message())
                .contains("content other than text of ");
    }

    // ---- Reading

    @Test
    void another_principal_cannot_read_cut_text() {
        JsonView result = limited(content(text("x".repeat(500))), 100);
        JsonView error =
                Objects.requireNonNull(read(first(result), new Principal("ada")).member("error"));
        assertThat(error.member("code")).hasToString("-32602");
        assertThat(error.string("message"))
                .isEqualTo(Objects.requireNonNull(read("fusebox://fusebox/results/AAAA/2", Principal.OWNER)
                                .member("error"))
                        .string("message"));
        assertThat(part(first(result))).hasSize(100);
    }

    @Test
    void clients_of_another_place_cannot_read_cut_text() {
        JsonView result = limited(content(text("x".repeat(500))), 100);
        ResultLimiter elsewhere = new ResultLimiter(store);
        byte[] frame = JsonRpcFrames.request(RequestId.of("2"), "resources/read", "{}");
        Call call = new Call(
                Message.Request.of(frame),
                new Deadline(KEEP, KEEP, time.platform().ticker()),
                Caller.SILENT);
        Outcome outcome = elsewhere.read(call, first(result), ResultFormat.SESSION);
        assertThat(((Outcome.Answered) outcome).answer().frame().json()).contains("-32002");
    }

    @Test
    void cut_text_is_gone_after_its_time_and_when_the_gateway_ends() {
        limiter.setRules(new ResultRules(NONE, Duration.ofSeconds(5)));
        JsonView brief = limited(content(text("x".repeat(500))), 100);
        assertThat(said(items(brief).get(1))).contains("for 5 s");
        assertThat(part(first(brief))).hasSize(100);
        time.advance(Duration.ofSeconds(5));
        assertThat(read(first(brief), Principal.OWNER).json()).contains("-32602");
        JsonView next = limited(content(text("x".repeat(500))), 100);
        limiter.close();
        assertThat(read(first(next), Principal.OWNER).json()).contains("-32602");
        assertThat(store.size()).isZero();
        limited(content(text("x".repeat(500))), 100);
        assertThat(store.size()).as("a call that ends late leaves nothing").isZero();
    }

    @Test
    void text_that_cannot_be_kept_is_cut_all_the_same() {
        JsonView result = limited(content(text("x".repeat(1 << 20))), 100);
        assertThat(items(result)).hasSize(2);
        assertThat(said(items(result).get(1))).contains("100 of 1048576 bytes", "The rest was not kept");
        assertThat(cut(result).member("uri")).isNull();
    }

    @Test
    void malformed_addresses_are_unknown() {
        for (String uri : List.of("", "AAAA", "AAAA/", "AAAA/x", "AAAA/-1", "AAAA/99999999", "/1", "../1/1")) {
            assertThat(read(CutTextAddress.PREFIX + uri, Principal.OWNER).json())
                    .contains("-32602");
        }
    }

    @Test
    void length_of_ascii_text_is_its_length_in_bytes() {
        assertThat(TextBudget.of("aé日😀\ud83d").bytes()).isEqualTo(1 + 2 + 3 + 4 + 3);
        String text = "aé日😀\"\\\n";
        assertThat(TextBudget.of(text).written())
                .isEqualTo(JsonWriter.quoted(text).getBytes(StandardCharsets.UTF_8).length - 2);
        assertThat(TextBudget.of("\ud83d").written())
                .isEqualTo(JsonWriter.quoted("\ud83d").length() - 2);
    }
}
