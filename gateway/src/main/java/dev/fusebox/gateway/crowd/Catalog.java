package dev.fusebox.gateway.crowd;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Splice;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Everything that all servers offer, under the names that clients see. Immutable.
final class Catalog {
    static final Catalog EMPTY = new Catalog(List.of());

    private final Map<Kind, List<Entry>> lists = new EnumMap<>(Kind.class);
    private final Map<Kind, Map<String, Entry>> byName = new EnumMap<>(Kind.class);

    /// A refused call asks who else has such a tool, and refusing must not take longer because there are many.
    private final Map<String, List<Entry>> toolsByOwn;

    /// One thing in it.
    ///
    /// @param shown what clients call it by
    /// @param json as clients see it
    record Entry(Member member, Item item, String shown, String json) {
        static Entry of(Kind kind, Member member, Item item, String shown) {
            JsonView definition = item.definition();
            String json = item.own().equals(shown) ? definition.json() : renamed(definition, kind, shown);
            return new Entry(member, item, shown, json);
        }

        private static String renamed(JsonView definition, Kind kind, String shown) {
            byte[] bytes = Splice.of(definition)
                    .replace(definition.member(kind.key()), JsonWriter.quoted(shown))
                    .bytes();
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /// @param members in the order of the configuration, which decides who owns an address that several offer
    Catalog(List<Member> members) {
        for (Kind kind : Kind.values()) {
            Map<String, Entry> names = new LinkedHashMap<>();
            members.forEach(member -> member.offer().of(kind).forEach(item -> add(kind, member, item, names)));
            lists.put(kind, List.copyOf(names.values()));
            byName.put(kind, Map.copyOf(names));
        }
        toolsByOwn = all(Kind.TOOLS).stream()
                .collect(Collectors.groupingBy(entry -> entry.item().own(), Collectors.toUnmodifiableList()));
    }

    /// Of two things with one name the first stays.
    private static void add(Kind kind, Member member, Item item, Map<String, Entry> names) {
        String shown = shown(kind, member, item, names);
        if (shown != null && !names.containsKey(shown)) {
            names.put(shown, Entry.of(kind, member, item, shown));
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

    /// Tools that their servers call by this name, in the order of the configuration.
    List<Entry> toolsCalled(String own) {
        return toolsByOwn.getOrDefault(own, List.of());
    }

    @Nullable
    Entry find(Kind kind, @Nullable String shown) {
        return shown == null ? null : byName.getOrDefault(kind, Map.of()).get(shown);
    }
}
