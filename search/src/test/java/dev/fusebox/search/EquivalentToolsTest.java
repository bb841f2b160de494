package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.search.model.Embedder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Tools of several servers that do the same share one hit.
class EquivalentToolsTest {
    private static final Document GOOGLE = new Document("web_search", "google", "Searches the web for pages.", "");
    private static final Document BRAVE = new Document("search", "brave", "Searches the web for pages.", "");
    private static final Document IMAGES = new Document("image_search", "brave", "Searches pictures.", "");
    private static final Document AGAIN = new Document("search_again", "brave", "Searches the web for pages.", "");

    /// Sees only whether a text is about the web, about images, or is neither.
    private static final Embedder TABLE = text -> {
        if (text.contains("web")) {
            return new float[] {1, 0.1f, 0};
        }
        return text.contains("pictures") ? new float[] {0, 1, 0} : new float[] {0, 0, 1};
    };

    private static SearchIndex searchIndex(Document... documents) {
        return new SearchIndex(
                List.of(documents).stream()
                        .map(document -> ToolText.of(() -> document))
                        .toList(),
                new SearchModels(() -> Optional.of(TABLE), new VectorStore()));
    }

    private static List<SearchHit> hits(SearchIndex searchIndex, int most) {
        return searchIndex
                .find(new SearchQuery("search the web", null, index -> true, most))
                .hits();
    }

    @Test
    void tools_of_two_servers_that_do_the_same_are_one_hit() {
        List<SearchHit> hits = hits(searchIndex(GOOGLE, BRAVE, IMAGES), 2);
        assertThat(hits).extracting(SearchHit::index).containsExactly(0, 2);
        assertThat(hits.getFirst().equivalents()).extracting(SearchHit::index).containsExactly(1);
        assertThat(hits.getFirst().score())
                .isGreaterThanOrEqualTo(hits.getFirst().equivalents().getFirst().score());
    }

    @Test
    void tools_of_one_server_are_never_equivalent() {
        assertThat(hits(searchIndex(BRAVE, AGAIN, IMAGES), 3))
                .hasSize(3)
                .allMatch(hit -> hit.equivalents().isEmpty());
    }

    @Test
    void tool_that_reads_and_one_that_changes_something_are_not_equivalent() {
        Document read = new Document("get_page", "google", "Works on web pages.", "");
        Document deleting = new Document("delete_page", "brave", "Works on web pages.", "");
        assertThat(hits(searchIndex(read, deleting), 3)).hasSize(2);
    }

    private static boolean areAntonyms(String name, String other) {
        return Antonyms.areIn(name, other);
    }

    @Test
    void tools_whose_names_say_the_opposite_are_not_equivalent() {
        assertThat(areAntonyms("lock_door", "unlockDoor")).isTrue();
        assertThat(areAntonyms("page_close", "openPage")).isTrue();
        assertThat(areAntonyms("web_search", "search")).isFalse();
        assertThat(areAntonyms("open_or_close_door", "open_door")).isFalse();
        assertThat(areAntonyms("close_issue", "reopen_issue")).isTrue();
        assertThat(areAntonyms("text_to_speech", "speech-to-text")).isTrue();
        assertThat(areAntonyms("convert_md_to_html", "md_to_html")).isFalse();
        assertThat(areAntonyms("convert_from_markdown", "markdown_to_html")).isFalse();
        Document door = new Document("page", "hub", "Works on web pages.", "");
        assertThat(areAntonyms("web_search", "research")).isFalse();
        assertThat(areAntonyms("play_video", "display_video")).isFalse();
        Document locking = new Document("lock_page", "google", "Works on web pages.", "");
        Document unlocking = new Document("unlock_page", "brave", "Works on web pages.", "");
        assertThat(hits(searchIndex(locking, unlocking), 3)).hasSize(2);
        assertThat(hits(searchIndex(door, locking, unlocking), 3))
                .as("nor on the line of a third")
                .hasSize(2);
    }

    @Test
    void copies_on_many_servers_displace_no_other_tool() {
        List<Document> all = new ArrayList<>();
        for (int server = 0; server < 200; server++) {
            all.add(new Document("web_search", "server" + server, "Searches the web for pages.", ""));
        }
        all.add(IMAGES);
        List<SearchHit> hits = hits(searchIndex(all.toArray(Document[]::new)), 2);
        assertThat(hits).extracting(SearchHit::index).containsExactly(0, 200);
        assertThat(hits.getFirst().equivalents()).hasSize(199);
        assertThat(hits.getFirst().score()).as("copies do not make it usual").isGreaterThan(0.5);
    }

    @Test
    void equivalent_of_an_equivalent_belongs_to_the_first() {
        List<SearchHit> hits = hits(searchIndex(GOOGLE, BRAVE, AGAIN), 5);
        assertThat(hits).hasSize(1);
        assertThat(hits.getFirst().equivalents()).extracting(SearchHit::index).containsExactlyInAnyOrder(1, 2);
    }
}
