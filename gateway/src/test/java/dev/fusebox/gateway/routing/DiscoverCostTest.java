package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Deadline;
import dev.fusebox.config.SemanticMode;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.tools.DiscoverTool;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a model reads for one search, and whether what it needs is there. All figures stand in docs/search.md;
/// here a part of the tools is known, with every tool that a held-out question is about. `-Dlong` takes all of
/// them, and prints the figures of both halves.
///
/// Over five seconds: some hundred descriptions are read by the model.
@Tag("load")
@Timeout(900)
class DiscoverCostTest {
    private static final int EVERY = 8;
    private static final int BYTES_OF_A_TOKEN = 4;

    /// What an answer showed before it was made short, each with its whole schema.
    private static final int SHOWN_BEFORE = 10;

    private static final int WITH_SCHEMA = 3;

    /// Averages over some questions.
    ///
    /// @param tokens of the whole result
    /// @param ofOne tokens of the object alone, which stands in a result twice
    /// @param before tokens of ten tools with whole schemas
    /// @param shown how often the right tool is there
    /// @param shownBefore how often it is one of the first ten
    /// @param callable how often the right tool is there with its schema
    /// @param amongThree how often it is one of the first three
    private record Cost(
            double tokens,
            double ofOne,
            double before,
            double shown,
            double shownBefore,
            double callable,
            double amongThree) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "tokens %.0f (the object alone %.0f; ten with whole schemas %.0f), right tool there %.3f"
                            + " (of ten %.3f), with its schema %.3f (recall@3 %.3f)",
                    tokens,
                    ofOne,
                    before,
                    shown,
                    shownBefore,
                    callable,
                    amongThree);
        }
    }

    private static double tokens(JsonView json) {
        return (double) json.json().getBytes(UTF_8).length / BYTES_OF_A_TOKEN;
    }

    private static JsonView search(GatewayClient client, String words, String more) {
        JsonView answer = client.call("mcp_discover", "{\"query\":" + JsonWriter.quoted(words) + more + "}");
        assertThat(Messages.text(answer, "result", "structuredContent", "search"))
                .isEqualTo("hybrid");
        return Messages.at(answer, "result");
    }

    /// The first tools, each with those of other servers that do the same.
    private static List<String> ids(JsonView result, int most) {
        List<String> ids = new ArrayList<>();
        Messages.at(result, "structuredContent", "tools").elements().stream()
                .limit(most)
                .forEach(tool -> {
                    ids.add(tool.string("server") + "/" + tool.string("tool"));
                    JsonView equivalents = tool.member("alsoAt");
                    if (equivalents != null) {
                        equivalents.elements().forEach(name -> ids.add(String.valueOf(name.string())));
                    }
                });
        return ids;
    }

    private static int withSchema(JsonView result) {
        return (int) Messages.at(result, "structuredContent", "tools").elements().stream()
                .filter(tool -> tool.member("inputSchema") != null)
                .count();
    }

    /// All that a model can call after it has read this, at once or after another look.
    private static Set<String> page(JsonView result) {
        Set<String> page = new HashSet<>(ids(result, SHOWN_BEFORE));
        JsonView more = result.path("structuredContent", "more");
        if (more != null) {
            more.elements().forEach(name -> page.add(String.valueOf(name.string())));
        }
        return page;
    }

    private static int has(KnownTools.Question question, Iterable<String> ids) {
        for (String id : ids) {
            if (question.answers().contains(id)) {
                return 1;
            }
        }
        return 0;
    }

    private static Cost cost(GatewayClient client, List<KnownTools.Question> questions) {
        double[] sums = new double[7];
        for (KnownTools.Question question : questions) {
            JsonView usual = search(client, question.text(), "");
            JsonView ten = search(client, question.text(), ",\"limit\":" + SHOWN_BEFORE + ",\"detail\":\"full\"");
            sums[0] += tokens(usual);
            sums[1] += tokens(Messages.at(usual, "structuredContent"));
            sums[2] += tokens(ten);
            sums[3] += has(question, page(usual));
            sums[4] += has(question, ids(ten, SHOWN_BEFORE));
            sums[5] += has(question, ids(usual, withSchema(usual)));
            sums[6] += has(question, ids(ten, WITH_SCHEMA));
        }
        int all = questions.size();
        return new Cost(
                sums[0] / all,
                sums[1] / all,
                sums[2] / all,
                sums[3] / all,
                sums[4] / all,
                sums[5] / all,
                sums[6] / all);
    }

    @Test
    void search_costs_at_most_900_tokens_and_shows_the_right_tool_as_often_as_ten_with_whole_schemas()
            throws Exception {
        boolean isWhole = System.getProperty("long") != null;
        KnownTools known = KnownTools.open(isWhole ? 1 : EVERY);
        ToolSearch search = new ToolSearch(SingleServerHarness.PLATFORM, SemanticMode.AUTO);
        GatewayHarness.Plan plan = GatewayHarness.plan()
                .catalogStore(known)
                .exposure(new ExposurePolicy(false, Set.of(), List.of(new DiscoverTool(search, 5), new CallTool())));
        known.servers()
                .keySet()
                .forEach(name -> plan.server(TestServer.at(name, URI.create("http://127.0.0.1:1/mcp"))));
        try (GatewayHarness gateway = plan.open()) {
            GatewayClient client = GatewayClient.of(gateway);
            eventually(
                    "the tools of all servers are known from the cache",
                    () -> assertThat(gateway.servers().tools().availableTools().tools())
                            .hasSize(known.tools()));
            search.awaitMeaning(
                    gateway.servers().tools().availableTools(),
                    Duration.ofMinutes(8),
                    Deadline.endless(SingleServerHarness.PLATFORM.ticker()));
            Cost heldOut = cost(client, known.heldOut());
            System.out.printf("figures: held-out questions: %s%n", heldOut);
            if (isWhole) {
                System.out.printf("figures: questions for tuning: %s%n", cost(client, known.forTuning()));
            }
            assertThat(heldOut.tokens()).as(heldOut.toString()).isLessThanOrEqualTo(900);
            assertThat(heldOut.shown()).as(heldOut.toString()).isGreaterThanOrEqualTo(heldOut.shownBefore());
            assertThat(heldOut.callable()).as(heldOut.toString()).isEqualTo(heldOut.amongThree());
            assertThat(heldOut.amongThree()).as(heldOut.toString()).isGreaterThan(0.75);
        }
    }
}
