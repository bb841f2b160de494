package dev.fusebox.gateway.crowd;

import dev.fusebox.gateway.era.EraStore;
import dev.fusebox.gateway.session.EraPolicy;
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

/// What a server offers, as a text that can be kept and read again: a member for each kind of thing that it has,
/// with the definitions byte for byte. Pure functions; nothing blocks.
final class OfferJson {
    /// A text of another version is as good as none.
    private static final String VERSION = "1";

    private OfferJson() {}

    static String text(String server, CachedOffer entry) {
        JsonWriter text = new JsonWriter().beginObject().name("fusebox").raw(VERSION);
        text.name("server").string(server);
        EraStore.Verdict era = entry.era();
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
        for (Kind kind : Kind.values()) {
            text.name(kind.member()).beginArray();
            entry.offer().of(kind).forEach(item -> text.raw(item.definition()));
            text.endArray();
        }
        return text.endObject().toString();
    }

    /// Null if it is none that this version has written. Nothing that a server may not say itself gets in by this
    /// way.
    static @Nullable CachedOffer read(byte[] text) {
        try {
            JsonView whole = JsonView.parse(text);
            JsonView version = whole.member("fusebox");
            Offer offer = version == null || !version.json().equals(VERSION) ? null : offer(whole);
            return offer == null
                    ? null
                    : new CachedOffer(
                            offer,
                            era(whole.string("era")),
                            time(whole),
                            whole.string("launch"),
                            whole.string("profile"));
        } catch (JsonSyntaxError spoilt) {
            return null;
        }
    }

    /// As `era` in a configuration has it.
    private static String word(EraStore.Verdict era) {
        return switch (era) {
            case LEGACY -> EraPolicy.SESSION.word();
            case MODERN -> EraPolicy.STATELESS.word();
        };
    }

    private static EraStore.@Nullable Verdict era(@Nullable String word) {
        return Stream.of(EraStore.Verdict.values())
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

    private static @Nullable Offer offer(JsonView whole) {
        Map<Kind, List<Item>> items = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            JsonView listed = whole.member(kind.member());
            List<Item> all = listed == null || !listed.isArray() ? null : all(kind, listed);
            if (all == null) {
                return null;
            }
            items.put(kind, all);
        }
        return new Offer(items);
    }

    private static @Nullable List<Item> all(Kind kind, JsonView listed) {
        List<Item> items = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (JsonView element : listed.elements()) {
            Item item = Item.of(kind, element);
            if (item == null || !known.add(item.own())) {
                return null;
            }
            items.add(item);
        }
        return items;
    }
}
