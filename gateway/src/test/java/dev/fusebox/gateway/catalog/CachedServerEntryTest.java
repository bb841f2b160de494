package dev.fusebox.gateway.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Principal;
import dev.fusebox.gateway.era.EraStore;
import dev.fusebox.platform.Platform;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CachedServerEntryTest {
    private static final SharingHistory SHOWN = new SharingHistory(Asking.ROOTS, Set.of("sampling"), Set.of(""));

    private static CachedServerEntry launched(String checksum) {
        CacheKey key = new CacheKey("jira", Principal.OWNER, () -> checksum);
        return new CachedServerEntry(Platform.system(), CatalogStore.NONE, "jira", key);
    }

    private static CachedContents found() {
        return new CachedContents(
                new CatalogContents(Map.of()), EraStore.ProbeResult.LEGACY, Instant.EPOCH, "before", null, SHOWN);
    }

    @Test
    void changed_program_has_shown_nothing_but_what_its_former_version_asked() {
        SharingHistory expected = new SharingHistory(Asking.ROOTS, Set.of(), Set.of());
        CachedServerEntry readFirst = launched("now");
        readFirst.readLaunch();
        readFirst.restored(found());
        assertThat(readFirst.sharing()).isEqualTo(expected);

        CachedServerEntry restoredFirst = launched("now");
        restoredFirst.restored(found());
        restoredFirst.readLaunch();
        assertThat(restoredFirst.sharing()).isEqualTo(expected);
    }

    @Test
    void history_of_the_same_program_stays() {
        CachedServerEntry entry = launched("before");
        entry.restored(found());
        entry.readLaunch();
        assertThat(entry.sharing()).isEqualTo(SHOWN);
    }

    /// The cache contains all kinds, a server's answer only those that it supports.
    @Test
    void history_stays_if_the_server_returns_the_lists_of_the_cache() {
        CachedServerEntry entry = launched("before");
        entry.restored(new CachedContents(
                new CatalogContents(Map.of(CatalogKind.TOOLS, List.of(), CatalogKind.PROMPTS, List.of())),
                EraStore.ProbeResult.LEGACY,
                Instant.EPOCH,
                "before",
                "",
                SHOWN));
        entry.listed(new CatalogContents(Map.of(CatalogKind.TOOLS, List.of())), "sampling");
        assertThat(entry.sharing().alike()).containsExactlyInAnyOrder("", "sampling");
    }
}
