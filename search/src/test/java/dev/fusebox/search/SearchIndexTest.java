package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.search.SearchResult.Method;
import dev.fusebox.search.model.Embedder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Tests of search by words in all their forms, and of when meaning counts.
class SearchIndexTest {
    private static final Document MAIL =
            new Document("sendEmail", "post", "Delivers a message to a mailbox.", "to body");
    private static final Document RAIN =
            new Document("get_forecast", "weather", "Says how the weather will be.", "city");
    private static final Document FILE = new Document("read-file2", "disk", "Reads a file.", "path encoding");
    private static final List<Document> ALL = List.of(MAIL, RAIN, FILE);

    static final SearchModels WITHOUT_MEANING = new SearchModels(Optional::empty, new VectorStore());

    private static List<ToolText> toolTexts(List<Document> documents) {
        return documents.stream().map(document -> ToolText.of(() -> document)).toList();
    }

    private static SearchIndex searchIndex(List<Document> documents) {
        return new SearchIndex(toolTexts(documents), WITHOUT_MEANING);
    }

    private static List<Integer> found(String query) {
        return indexes(find(searchIndex(ALL), query));
    }

    private static List<SearchHit> find(SearchIndex searchIndex, String query) {
        return searchIndex.find(new SearchQuery(query, null, index -> true, 10)).hits();
    }

    private static List<Integer> indexes(List<SearchHit> hits) {
        return hits.stream().map(SearchHit::index).toList();
    }

    @Test
    void names_are_split_at_capitals_underscores_hyphens_and_digits() {
        assertThat(Tokenizer.of("sendEmail get_forecast read-file2 HTTPServer"))
                .containsExactly(Tokenizer.of("send email get forecast read file 2 http server"));
    }

    @Test
    void word_is_found_in_any_of_its_forms() {
        assertThat(found("reading files")).first().isEqualTo(2);
        assertThat(found("emails")).containsExactly(0);
        assertThat(found("forecasts for cities")).containsExactly(1);
        assertThat(Tokenizer.of("planning")).isEqualTo(Tokenizer.of("plans"));
    }

    @Test
    void synonym_is_found_and_weighs_less_than_the_word_itself() {
        SearchIndex searchIndex = searchIndex(List.of(
                new Document("list_tickets", "desk", "Tickets of a project.", ""),
                new Document("list_issues", "desk", "Issues of a project.", "")));
        List<SearchHit> hits = find(searchIndex, "issues");
        assertThat(hits.stream().map(SearchHit::index)).containsExactly(1, 0);
        assertThat(hits.getFirst().score()).isGreaterThan(hits.getLast().score());
        assertThat(Synonyms.of("issue ticket\nticket pass").synonymsOf(Tokenizer.of("tickets")[0]))
                .containsExactlyInAnyOrder(Tokenizer.of("issue pass"));
        assertThat(Synonyms.read().synonymsOf(Tokenizer.of("zebra")[0])).isEmpty();
    }

    @Test
    void document_without_the_words_is_not_found_and_stop_words_find_nothing() {
        assertThat(found("zebra")).isEmpty();
        assertThat(found("can you please do it for me")).isEmpty();
        assertThat(found("")).isEmpty();
    }

    /// In a search by words alone, a tool that changes something ranks lower for a question, but not below nothing.
    @Test
    void scores_are_between_zero_and_one() {
        SearchIndex searchIndex =
                searchIndex(List.of(MAIL, new Document("create_note", "notes", "Keeps a note about rain.", "")));
        List<SearchHit> hits = find(
                searchIndex,
                "what rain orchid velvet lantern harbor copper meadow thunder pebble saffron walnut glacier fossil");
        assertThat(indexes(hits)).containsExactly(1);
        assertThat(hits.getFirst().score()).isBetween(0.0, 1.0);
    }

    @Test
    void name_weighs_more_than_description_and_equal_scores_keep_order() {
        SearchIndex searchIndex = searchIndex(List.of(
                new Document("a", "s", "about a mailbox", ""),
                new Document("mailbox", "s", "something", ""),
                new Document("b", "s", "about a mailbox", "")));
        assertThat(indexes(find(searchIndex, "mailbox"))).containsExactly(1, 0, 2);
        assertThat(indexes(searchIndex
                        .find(new SearchQuery("mailbox", null, index -> index != 1, 1))
                        .hits()))
                .containsExactly(0);
    }

    @Test
    void sentence_model_counts_only_when_most_documents_are_embedded() {
        VectorStore vectors = new VectorStore();
        SearchModels models = new SearchModels(Optional::empty, vectors);
        SearchIndex searchIndex = new SearchIndex(toolTexts(ALL), models);
        Embedder embedder =
                text -> text.contains("weather") || text.contains("zebra") ? new float[] {1, 0} : new float[] {0, 1};
        SearchQuery query = new SearchQuery("zebra", embedder, index -> true, 10);
        assertThat(searchIndex.find(query)).isEqualTo(new SearchResult(List.of(), Method.LEXICAL, false));
        assertThat(searchIndex.missing()).hasSize(3);
        assertThat(vectors.learn(searchIndex.missing().subList(0, 2), embedder)).isEqualTo(2);
        assertThat(searchIndex.find(query).method()).isEqualTo(Method.LEXICAL);
        assertThat(vectors.learn(toolTexts(ALL), embedder)).isEqualTo(1);
        assertThat(searchIndex.missing()).isEmpty();
        assertThat(searchIndex.isWhole()).isTrue();
        assertThat(searchIndex.find(query).method()).isEqualTo(Method.HYBRID);
        assertThat(indexes(searchIndex.find(query).hits())).first().isEqualTo(1);
        assertThat(new SearchIndex(toolTexts(List.of(RAIN)), models).isWhole())
                .as("embedded texts are known")
                .isTrue();
    }

    @Test
    void document_without_an_embedding_is_found_by_words_beside_the_model() {
        VectorStore vectors = new VectorStore();
        Document zebra = new Document("ride_zebra", "zoo", "Rides a zebra.", "");
        List<ToolText> texts = toolTexts(List.of(ALL.get(0), ALL.get(1), ALL.get(2), zebra));
        SearchIndex searchIndex = new SearchIndex(texts, new SearchModels(Optional::empty, vectors));
        Embedder embedder = text -> text.equals("zebra") ? new float[] {1, 0} : new float[] {0, 1};
        assertThat(searchIndex.isReady()).isFalse();
        vectors.learn(texts.subList(0, 3), embedder);
        SearchQuery query = new SearchQuery("zebra", embedder, index -> true, 10);
        SearchResult partial = searchIndex.find(query);
        assertThat(partial.method()).isEqualTo(Method.HYBRID);
        assertThat(indexes(partial.hits())).first().isEqualTo(3);
        assertThat(searchIndex.isWhole()).isFalse();
        vectors.learn(texts, embedder);
        searchIndex.refreshEmbeddings();
        assertThat(searchIndex.isWhole()).isTrue();
        assertThat(indexes(searchIndex.find(query).hits())).first().isEqualTo(3);
    }

    @Test
    void table_counts_at_once() {
        Embedder table =
                text -> text.contains("weather") || text.contains("zebra") ? new float[] {1, 0} : new float[] {0, 1};
        SearchIndex searchIndex =
                new SearchIndex(toolTexts(ALL), new SearchModels(() -> Optional.of(table), new VectorStore()));
        SearchResult result = searchIndex.find(new SearchQuery("zebra", null, index -> true, 10));
        assertThat(result.method()).isEqualTo(Method.TABLE);
        assertThat(indexes(result.hits())).first().isEqualTo(1);
    }

    @Test
    void text_shared_by_two_indexes_is_computed_once() {
        AtomicInteger asked = new AtomicInteger();
        ToolText toolText = ToolText.of(() -> {
            asked.incrementAndGet();
            return MAIL;
        });
        SearchIndex one = new SearchIndex(List.of(toolText), WITHOUT_MEANING);
        assertThat(asked).as("no search has run").hasValue(0);
        one.prepare();
        assertThat(one.missing()).containsExactly(toolText);
        int before = asked.get();
        SearchIndex two = new SearchIndex(List.of(toolText, ToolText.of(() -> RAIN)), WITHOUT_MEANING);
        assertThat(find(two, "email")).hasSize(1);
        assertThat(two.missing()).hasSize(2);
        assertThat(asked).hasValue(before);
    }
}
