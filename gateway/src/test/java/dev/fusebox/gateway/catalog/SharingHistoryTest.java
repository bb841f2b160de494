package dev.fusebox.gateway.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.era.EraStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SharingHistoryTest {
    @Test
    void clients_with_other_capabilities_see_the_same_lists_only_if_both_have_seen_them() {
        SharingHistory history = SharingHistory.NOTHING.withLists("").withAlike("roots={}");
        assertThat(history.isAlike("", "roots={}")).isTrue();
        assertThat(history.isAlike("", "sampling={}")).isFalse();
        assertThat(history.isAlike("sampling={}", "sampling={}")).isTrue();
    }

    @Test
    void changed_lists_were_seen_by_their_reader_only() {
        SharingHistory history =
                SharingHistory.NOTHING.withLists("").withAlike("roots={}").withLists("roots={}");
        assertThat(history.isAlike("", "roots={}")).isFalse();
    }

    @Test
    void server_that_has_asked_for_more_stays_one_that_has() {
        SharingHistory history =
                SharingHistory.NOTHING.withAsked(Asking.QUESTIONS).withAsked(Asking.ROOTS);
        assertThat(history.asked()).isEqualTo(Asking.QUESTIONS);
    }

    @Test
    void history_of_two_runs_is_that_of_both() {
        SharingHistory one = new SharingHistory(Asking.ROOTS, Set.of("sampling"), Set.of("a"));
        SharingHistory other = new SharingHistory(Asking.NOTHING, Set.of("elicitation"), Set.of("b"));
        assertThat(one.and(other))
                .isEqualTo(new SharingHistory(Asking.ROOTS, Set.of("sampling", "elicitation"), Set.of("a", "b")));
    }

    @Test
    void history_is_read_as_it_was_written() {
        SharingHistory history = new SharingHistory(Asking.ROOTS, Set.of("sampling"), Set.of("", "roots={}"));
        assertThat(read(history)).isEqualTo(history);
        assertThat(read(SharingHistory.NOTHING)).isEqualTo(SharingHistory.NOTHING);
    }

    private static SharingHistory read(SharingHistory history) {
        CachedContents entry = new CachedContents(
                new CatalogContents(Map.of()), EraStore.ProbeResult.LEGACY, Instant.EPOCH, null, null, history);
        byte[] text = CatalogContentsJson.text("jira", entry).getBytes(StandardCharsets.UTF_8);
        return Objects.requireNonNull(CatalogContentsJson.read(text)).sharing();
    }
}
