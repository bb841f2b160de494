package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.search.model.Embedder;
import dev.fusebox.search.model.WordTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What is known of documents, from one run to the next.
class FeatureFileTest {
    private static final WordTable TABLE = table();

    private final AtomicInteger read = new AtomicInteger();

    private static WordTable table() {
        try {
            return WordTable.load().orElseThrow();
        } catch (IOException damaged) {
            throw new AssertionError(damaged);
        }
    }

    private ToolText text(long key, String name, String description) {
        return ToolText.of(key, () -> {
            read.incrementAndGet();
            return new Document(name, "server " + key, description, "");
        });
    }

    private List<ToolText> texts() {
        return List.of(
                text(11, "create_issue", "Creates an issue in the tracker."),
                text(-7, "send_mail", "Sends a mail to a person."),
                text(3, "get_weather", "The weather of tomorrow."));
    }

    private static SearchIndex index(List<ToolText> texts, Embedder table, byte[] stored) {
        return new SearchIndex(texts, new SearchModels(() -> Optional.of(table), new VectorStore(), () -> stored));
    }

    private byte[] written() {
        SearchIndex index = index(texts(), TABLE, new byte[0]);
        index.prepare();
        assertThat(index.hasNewFeatures()).isTrue();
        return index.writtenFeatures(null);
    }

    private static List<SearchHit> found(SearchIndex index) {
        return index.find(new SearchQuery("will it rain tomorrow", null, each -> true, 3))
                .hits();
    }

    @Test
    void second_run_reads_no_document_and_finds_the_same() {
        byte[] stored = written();
        List<SearchHit> before = found(index(texts(), TABLE, new byte[0]));
        read.set(0);
        SearchIndex second = index(texts(), TABLE, stored);
        second.prepare();
        assertThat(read).hasValue(0);
        assertThat(second.hasNewFeatures()).isFalse();
        assertThat(found(second)).isEqualTo(before).isNotEmpty();
    }

    @Test
    void changed_document_is_read_again() {
        byte[] stored = written();
        read.set(0);
        SearchIndex second =
                index(List.of(texts().get(0), text(12, "create_issue", "Creates a ticket.")), TABLE, stored);
        second.prepare();
        assertThat(read).hasValue(1);
        assertThat(second.hasNewFeatures()).isTrue();
    }

    @Test
    void document_without_key_is_not_stored() {
        SearchIndex index = index(List.of(text(0, "send_mail", "Sends a mail.")), TABLE, new byte[0]);
        index.prepare();
        byte[] stored = index.writtenFeatures(null);
        read.set(0);
        index(List.of(text(0, "send_mail", "Sends a mail.")), TABLE, stored).prepare();
        assertThat(read).hasValue(1);
    }

    @Test
    void documents_of_others_stay_in_the_file() {
        byte[] theirs = written();
        SearchIndex mine = index(List.of(text(99, "play_song", "Plays a song.")), TABLE, new byte[0]);
        mine.prepare();
        byte[] both = mine.writtenFeatures(theirs);
        read.set(0);
        index(texts(), TABLE, both).prepare();
        index(List.of(text(99, "play_song", "Plays a song.")), TABLE, both).prepare();
        assertThat(read).hasValue(0);
    }

    @Test
    void file_of_another_table_is_ignored() {
        byte[] stored = written();
        read.set(0);
        index(texts(), text -> new float[] {1, 0}, stored).prepare();
        assertThat(read).hasValue(3);
    }

    @Test
    void damaged_file_is_ignored() {
        byte[] stored = written();
        for (int at = 0; at < stored.length; at += 7) {
            byte[] damaged = stored.clone();
            damaged[at]++;
            assertThat(FeatureFile.read(damaged, TABLE.version())).isNull();
        }
        assertThat(FeatureFile.read(Arrays.copyOf(stored, stored.length - 1), TABLE.version()))
                .isNull();
        assertThat(FeatureFile.read(new byte[0], TABLE.version())).isNull();
        assertThat(FeatureFile.read(stored, TABLE.version())).isNotNull();
    }
}
