package dev.fusebox.gateway.crowd;

import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Splice;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything that all servers offer, under the names that clients see. Immutable.
final class Catalog {
    static final Catalog EMPTY = new Catalog(List.of());

    private final Map<Kind, List<Entry>> lists = new EnumMap<>(Kind.class);
    private final Map<Kind, Map<String, Entry>> byName = new EnumMap<>(Kind.class);

    /// One thing in it.
    ///
    /// @param shown what clients call it by
    record Entry(Member member, Item item, String shown) {
        /// As clients see it.
        String json(Kind kind) {
            String own = item.own();
            return own.equals(shown)
                    ? item.definition().json()
                    : new String(
                            Splice.of(item.definition())
                                    .replace(item.definition().member(kind.key()), JsonWriter.quoted(shown))
                                    .bytes(),
                            StandardCharsets.UTF_8);
        }
    }

    /// @param members in the order of the configuration, which decides who owns an address that several offer
    Catalog(List<Member> members) {
        for (Kind kind : Kind.values()) {
            Map<String, Entry> names = new LinkedHashMap<>();
            for (Member member : members) {
                for (Item item : member.offer().of(kind)) {
                    String shown = shown(kind, member, item, names);
                    names.computeIfAbsent(shown == null ? "" : shown, name -> new Entry(member, item, name));
                }
            }
            names.remove("");
            lists.put(kind, List.copyOf(names.values()));
            byName.put(kind, Map.copyOf(names));
        }
    }

    /// Null if clients do not get to see it.
    private static @Nullable String shown(Kind kind, Member member, Item item, Map<String, Entry> names) {
        if (kind.isNamed()) {
            return member.shownName(kind, item.own());
        }
        return names.containsKey(item.own()) ? explicit(member.id(), item.own()) : item.own();
    }

    /// An address with its server in it, for those that an earlier server offers, too.
    static String explicit(String server, String address) {
        return "fusebox://" + server + "/" + URLEncoder.encode(address, StandardCharsets.UTF_8);
    }

    List<Entry> all(Kind kind) {
        return lists.getOrDefault(kind, List.of());
    }

    @Nullable
    Entry find(Kind kind, @Nullable String shown) {
        return shown == null ? null : byName.getOrDefault(kind, Map.of()).get(shown);
    }
}
