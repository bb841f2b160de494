package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.search.Document.Effect;
import java.util.List;
import org.junit.jupiter.api.Test;

/// For a question, a tool that only reads comes first if tools fit about equally well.
class IntentTest {
    private static Document named(String name, Effect effect) {
        return new Document(name, "notes", "A note about a thing.", "", effect);
    }

    private static List<Integer> found(String query, Document... documents) {
        List<ToolText> toolTexts = List.of(documents).stream()
                .map(document -> ToolText.of(() -> document))
                .toList();
        return new SearchIndex(toolTexts, SearchIndexTest.WITHOUT_MEANING)
                .find(new SearchQuery(query, null, index -> true, 10)).hits().stream()
                        .map(SearchHit::index)
                        .toList();
    }

    @Test
    void questions_are_recognized_by_their_first_word() {
        assertThat(List.of("who wrote this", "  List my notes", "what's new", "How much is it", "FIND a note"))
                .allMatch(Intent::isQuestion);
        assertThat(List.of("", " ", "write a note", "a list of notes", "delete what I wrote"))
                .noneMatch(Intent::isQuestion);
    }

    @Test
    void tool_changes_something_if_it_says_so_or_its_name_does() {
        assertThat(Intent.changes(named("deleteNote", Effect.UNKNOWN))).isTrue();
        assertThat(Intent.changes(named("create_note", Effect.READS))).isFalse();
        assertThat(Intent.changes(named("note_list", Effect.CHANGES))).isTrue();
        assertThat(Intent.changes(named("settings", Effect.UNKNOWN))).isFalse();
        assertThat(Intent.changes(named("", Effect.UNKNOWN))).isFalse();
    }

    @Test
    void reader_comes_first_for_a_question_only() {
        Document writer = named("note_a", Effect.CHANGES);
        Document reader = named("note_b", Effect.READS);
        assertThat(found("which note is it", writer, reader)).containsExactly(1, 0);
        assertThat(found("note this", writer, reader)).containsExactly(0, 1);
    }
}
