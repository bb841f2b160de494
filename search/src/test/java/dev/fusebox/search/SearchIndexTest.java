package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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

    private static List<ToolText> toolTexts(List<Document> documents) {
        return documents.stream().map(document -> ToolText.of(() -> document)).toList();
    }

    private static SearchIndex searchIndex(List<Document> documents) {
        return new SearchIndex(toolTexts(documents), new VectorStore());
    }

    private static List<Integer> found(String query) {
        return searchIndex(ALL).find(query, null, index -> true, 10).stream()
                .map(SearchHit::index)
                .toList();
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
        List<SearchHit> hits = searchIndex.find("issues", null, index -> true, 10);
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

    @Test
    void name_weighs_more_than_description_and_equal_scores_keep_order() {
        SearchIndex searchIndex = searchIndex(List.of(
                new Document("a", "s", "about a mailbox", ""),
                new Document("mailbox", "s", "something", ""),
                new Document("b", "s", "about a mailbox", "")));
        assertThat(searchIndex.find("mailbox", null, index -> true, 10).stream().map(SearchHit::index))
                .containsExactly(1, 0, 2);
        assertThat(searchIndex.find("mailbox", null, index -> index != 1, 1).stream()
                        .map(SearchHit::index))
                .containsExactly(0);
    }

    @Test
    void meaning_counts_only_when_every_document_is_embedded() {
        VectorStore vectors = new VectorStore();
        SearchIndex searchIndex = new SearchIndex(toolTexts(ALL), vectors);
        Embedder embedder = text -> text.contains("weather") ? new float[] {1, 0} : new float[] {0, 1};
        float[] meaning = {1, 0};
        assertThat(searchIndex.find("zebra", meaning, index -> true, 10)).isEmpty();
        assertThat(searchIndex.missing()).hasSize(3);
        searchIndex.missing().forEach(toolText -> vectors.learn(toolText, embedder));
        assertThat(searchIndex.missing()).isEmpty();
        assertThat(searchIndex.isWhole()).isTrue();
        assertThat(searchIndex.find("zebra", meaning, index -> true, 10).stream()
                        .map(SearchHit::index))
                .containsExactly(1);
        assertThat(new SearchIndex(toolTexts(List.of(RAIN)), vectors).isWhole())
                .as("embedded texts are known")
                .isTrue();
    }

    @Test
    void text_shared_by_two_indexes_is_computed_once() {
        AtomicInteger asked = new AtomicInteger();
        ToolText toolText = ToolText.of(() -> {
            asked.incrementAndGet();
            return MAIL;
        });
        SearchIndex one = new SearchIndex(List.of(toolText), new VectorStore());
        assertThat(asked).as("no search has run").hasValue(0);
        one.prepare();
        assertThat(one.missing()).containsExactly(toolText);
        int before = asked.get();
        SearchIndex two = new SearchIndex(List.of(toolText, ToolText.of(() -> RAIN)), new VectorStore());
        assertThat(two.find("email", null, index -> true, 10)).hasSize(1);
        assertThat(two.missing()).hasSize(2);
        assertThat(asked).hasValue(before);
    }
}
