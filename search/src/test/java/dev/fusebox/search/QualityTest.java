package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.search.model.SentenceModel;
import dev.fusebox.search.model.WordTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Tests of search quality with the questions of people who do not know the words of a tool. All figures are in
/// docs/search.md.
///
/// Takes over five seconds: the model reads the descriptions of five hundred tools, and minutes with the quick compiler
/// only, which uses no vector instructions.
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QualityTest {
    private static final int MOST = 10;

    private RealTools realTools;
    private SentenceModel model;
    private WordTable table;
    private SearchIndex lexical;
    private SearchIndex hybrid;
    private List<Embedding> embeddings;

    @BeforeAll
    void read() throws IOException {
        realTools = RealTools.open();
        model = SentenceModel.load().orElseThrow();
        table = WordTable.load().orElseThrow();
        lexical = new SearchIndex(realTools.toolTexts(), SearchIndexTest.WITHOUT_MEANING);
        VectorStore vectors = new VectorStore();
        hybrid = new SearchIndex(realTools.toolTexts(), new SearchModels(() -> Optional.of(table), vectors));
        vectors.learn(hybrid.missing(), model);
        embeddings = hybrid.toolTexts().stream().map(vectors::of).toList();
    }

    private static List<SearchHit> hits(SearchIndex searchIndex, String query, @Nullable SentenceModel with) {
        return searchIndex
                .find(new SearchQuery(query, with, index -> true, MOST))
                .hits();
    }

    /// The hits of one part alone.
    private static Function<String, List<SearchHit>> nearest(
            List<Embedding> embeddings, Function<String, float[]> reader) {
        EmbeddingIndex all = new EmbeddingIndex(embeddings);
        return query -> {
            float[] similarity = all.similarity(reader.apply(query));
            return IntStream.range(0, similarity.length)
                    .mapToObj(index -> new SearchHit(index, similarity[index]))
                    .sorted((one, other) -> Double.compare(other.score(), one.score()))
                    .limit(MOST)
                    .toList();
        };
    }

    @Test
    void held_out_questions_find_their_tools() {
        Recall recall = Recall.of(realTools, realTools.heldOut(), query -> hits(hybrid, query, model));
        assertThat(recall.atOne()).as("%s", recall).isGreaterThanOrEqualTo(0.66);
        assertThat(recall.atFive()).as("%s", recall).isGreaterThanOrEqualTo(0.90);
    }

    @Test
    void hybrid_search_is_never_below_one_of_its_parts() {
        List<Embedding> byTable = hybrid.toolTexts().stream()
                .map(toolText -> toolText.tableEmbedding(table))
                .toList();
        for (List<RealTools.Question> questions : List.of(realTools.heldOut(), realTools.forTuning())) {
            Recall all = Recall.of(realTools, questions, query -> hits(hybrid, query, model));
            Recall words = Recall.of(realTools, questions, query -> hits(lexical, query, null));
            Recall ofTable = Recall.of(realTools, questions, nearest(byTable, table::embed));
            Recall ofModel = Recall.of(realTools, questions, nearest(embeddings, model::embed));
            for (Recall part : List.of(words, ofTable, ofModel)) {
                assertThat(all.atFive()).as("%s, %s", all, part).isGreaterThanOrEqualTo(part.atFive());
                assertThat(all.reciprocalRank()).as("%s, %s", all, part).isGreaterThanOrEqualTo(part.reciprocalRank());
            }
        }
    }

    /// While a fifth of the tools have no embeddings.
    @Test
    void partial_index_is_not_below_the_table() {
        VectorStore vectors = new VectorStore();
        SearchIndex partial =
                new SearchIndex(realTools.toolTexts(), new SearchModels(() -> Optional.of(table), vectors));
        List<ToolText> texts = partial.toolTexts();
        List<ToolText> some = IntStream.range(0, texts.size())
                .filter(index -> index % 5 != 0)
                .mapToObj(texts::get)
                .toList();
        vectors.learn(some, model);
        assertThat(partial.isReady()).isTrue();
        for (List<RealTools.Question> questions : List.of(realTools.heldOut(), realTools.forTuning())) {
            Recall both = Recall.of(realTools, questions, query -> hits(hybrid, query, null));
            Recall all = Recall.of(realTools, questions, query -> hits(partial, query, model));
            assertThat(all.atFive()).as("%s, %s", all, both).isGreaterThanOrEqualTo(both.atFive());
            assertThat(all.reciprocalRank()).as("%s, %s", all, both).isGreaterThanOrEqualTo(both.reciprocalRank());
        }
    }

    @Test
    void table_and_words_find_more_than_words() {
        for (List<RealTools.Question> questions : List.of(realTools.heldOut(), realTools.forTuning())) {
            Recall words = Recall.of(realTools, questions, query -> hits(lexical, query, null));
            Recall both = Recall.of(realTools, questions, query -> hits(hybrid, query, null));
            assertThat(both.atFive()).as("%s, %s", both, words).isGreaterThan(words.atFive());
            assertThat(both.atOne()).as("%s, %s", both, words).isGreaterThanOrEqualTo(words.atOne());
        }
    }

    @Test
    void query_of_unknown_words_matches_nothing() {
        for (SentenceModel with : Arrays.asList(null, model)) {
            assertThat(hits(hybrid, "zyzzyva", with)).isEmpty();
            assertThat(hits(hybrid, "asdfgh", with)).isEmpty();
            for (String known : List.of("weather", "remember that Anna likes tea", "memory", "ping")) {
                assertThat(hits(hybrid, known, with)).as(known).isNotEmpty();
            }
        }
    }

    @Test
    void data_set_has_enough_questions_and_tools() {
        assertThat(realTools.questions()).hasSizeGreaterThanOrEqualTo(120);
        Set<String> tools = new HashSet<>();
        realTools.questions().forEach(question -> tools.addAll(question.answers()));
        assertThat(tools).hasSizeGreaterThan(100);
        assertThat(realTools.ids()).containsAll(tools);
        assertThat(realTools.forTuning()).doesNotContainAnyElementsOf(realTools.heldOut());
    }
}
