package dev.fusebox.gateway.catalog;

import dev.fusebox.config.EraPolicy;
import dev.fusebox.gateway.era.EraStore;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The JSON format of cached contents: one member for each kind of entry, with the definitions byte for byte.
/// Pure functions; nothing blocks.
public final class CatalogContentsJson {
    /// An entry with another format version is discarded.
    private static final String VERSION = "1";

    private CatalogContentsJson() {}

    public static String text(String server, CachedContents entry) {
        JsonWriter text = new JsonWriter().beginObject().name("fusebox").raw(VERSION);
        text.name("server").string(server);
        EraStore.ProbeResult era = entry.era();
        Instant readAt = entry.readAt();
        if (era != null) {
            text.name("era").string(word(era));
        }
        if (readAt != null) {
            text.name("readAt").string(readAt.truncatedTo(ChronoUnit.SECONDS).toString());
        }
        if (entry.launch() != null) {
            text.name("launch").string(entry.launch());
        }
        if (entry.profile() != null) {
            text.name("profile").string(entry.profile());
        }
        entry.sharing().write(text);
        if (!entry.contents().extensions().equals(AnnouncedExtensions.NONE)) {
            text.name(AnnouncedExtensions.CAPABILITY)
                    .raw(entry.contents().extensions().json());
        }
        for (CatalogKind kind : CatalogKind.values()) {
            text.name(kind.member()).beginArray();
            entry.contents().of(kind).forEach(catalogEntry -> text.raw(catalogEntry.definition()));
            text.endArray();
        }
        return text.endObject().toString();
    }

    /// Parses cached contents; null if this version did not write them. Entries pass the same validation as
    /// those that come from a server.
    public static @Nullable CachedContents read(byte[] text) {
        try {
            JsonView whole = JsonView.parse(text);
            JsonView version = whole.member("fusebox");
            CatalogContents contents = version == null || !version.json().equals(VERSION) ? null : contents(whole);
            return contents == null
                    ? null
                    : new CachedContents(
                            contents,
                            era(whole.string("era")),
                            time(whole),
                            whole.string("launch"),
                            whole.string("profile"),
                            SharingHistory.read(whole));
        } catch (JsonSyntaxError spoilt) {
            return null;
        }
    }

    /// The era as the configuration key `era` spells it.
    private static String word(EraStore.ProbeResult era) {
        return switch (era) {
            case LEGACY -> EraPolicy.SESSION.word();
            case MODERN -> EraPolicy.STATELESS.word();
        };
    }

    private static EraStore.@Nullable ProbeResult era(@Nullable String word) {
        return Stream.of(EraStore.ProbeResult.values())
                .filter(era -> word(era).equals(word))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Instant time(JsonView whole) {
        try {
            String written = whole.string("readAt");
            return written == null ? null : Instant.parse(written);
        } catch (DateTimeException spoilt) {
            return null;
        }
    }

    private static @Nullable CatalogContents contents(JsonView whole) {
        Map<CatalogKind, List<CatalogEntry>> catalogEntries = new EnumMap<>(CatalogKind.class);
        for (CatalogKind kind : CatalogKind.values()) {
            JsonView listed = whole.member(kind.member());
            // Entries of earlier versions have no skills.
            boolean isMissing = listed == null && kind == CatalogKind.SKILLS;
            List<CatalogEntry> all = listed == null || !listed.isArray() ? null : all(kind, listed);
            if (all == null && !isMissing) {
                return null;
            }
            catalogEntries.put(kind, all == null ? List.of() : all);
        }
        return new CatalogContents(catalogEntries, AnnouncedExtensions.in(whole));
    }

    private static @Nullable List<CatalogEntry> all(CatalogKind kind, JsonView listed) {
        List<CatalogEntry> catalogEntries = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (JsonView element : listed.elements()) {
            CatalogEntry catalogEntry = CatalogEntry.of(kind, element);
            if (catalogEntry == null || !known.add(catalogEntry.own())) {
                return null;
            }
            catalogEntries.add(catalogEntry);
        }
        return catalogEntries;
    }
}
