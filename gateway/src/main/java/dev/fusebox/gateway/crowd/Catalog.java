package dev.fusebox.gateway.crowd;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Splice;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Everything that all servers offer, under the names that clients see. Immutable.
final class Catalog {
    /// What an address begins with that names its server.
    static final String EXPLICIT = "fusebox://";

    static final Catalog EMPTY = new Catalog(List.of(), List.of(), null);

    private final Map<Member, Offer> offers;
    private final Map<Kind, List<Entry>> lists = new EnumMap<>(Kind.class);
    private final Map<Kind, Map<String, Entry>> byName = new EnumMap<>(Kind.class);

    /// A refused call asks who else has such a tool, and refusing must not take longer because there are many.
    private final Map<String, List<Entry>> toolsByOwn;

    /// One thing in it.
    ///
    /// @param shown what clients call it by
    /// @param server whom clients ask for it: the member, or the team that it is in
    record Entry(Member member, Item item, String shown, String server) {
        Entry of(Team team) {
            return new Entry(member, item, shown, team.id());
        }

        /// As clients see it in a list. Not kept: most of thousands stand in none.
        String json(Kind kind) {
            JsonView definition = item.definition();
            if (item.own().equals(shown)) {
                return definition.json();
            }
            byte[] bytes = Splice.of(definition)
                    .replace(definition.member(kind.key()), JsonWriter.quoted(shown))
                    .bytes();
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /// @param members in the order of the configuration, which decides who owns an address that several offer
    /// @param teams whose members can be called by their own names, which are not listed
    /// @param before whoever owned an address there keeps it for as long as it offers it; null if there was none
    Catalog(List<Member> members, List<Team> teams, @Nullable Catalog before) {
        this(offers(members, Member::offer), teams, before);
    }

    /// @param offers what each member offers, in the order of the configuration
    Catalog(Map<Member, Offer> offers, List<Team> teams, @Nullable Catalog before) {
        this.offers = offers;
        for (Kind kind : Kind.values()) {
            Map<String, Entry> names = names(kind, offers, before);
            teams.forEach(team -> join(kind, team, offers, names));
            lists.put(
                    kind,
                    names.values().stream()
                            .filter(entry -> !kind.isNamed() || isListed(entry, teams))
                            .toList());
            byName.put(kind, Map.copyOf(names));
        }
        toolsByOwn = all(Kind.TOOLS).stream()
                .collect(Collectors.groupingBy(entry -> entry.item().own(), Collectors.toUnmodifiableList()));
    }

    /// What a member offered when this was put together.
    Offer offer(Member member) {
        return offers.getOrDefault(member, Offer.NOTHING);
    }

    /// What each of them offers, in their order.
    static Map<Member, Offer> offers(List<Member> members, Function<Member, Offer> of) {
        Map<Member, Offer> offers = new LinkedHashMap<>();
        members.forEach(member -> offers.put(member, of.apply(member)));
        return offers;
    }

    /// Of two things with one name the first stays.
    private static Map<String, Entry> names(Kind kind, Map<Member, Offer> offers, @Nullable Catalog before) {
        Map<String, Member> owners = kind.isNamed() ? Map.of() : owners(kind, offers, before);
        Map<String, Entry> names = new LinkedHashMap<>();
        offers.forEach((member, offer) -> offer.of(kind).forEach(item -> {
            String shown = kind.isNamed() ? member.shownName(kind, item.own()) : address(member, item, owners);
            if (shown != null && !names.containsKey(shown)) {
                names.put(shown, new Entry(member, item, shown, member.id()));
            }
        }));
        return names;
    }

    /// What any of a team has, all have: the first that has said so stands for them.
    private static void join(Kind kind, Team team, Map<Member, Offer> offers, Map<String, Entry> names) {
        if (!kind.isNamed()) {
            return;
        }
        for (Member member : team.members()) {
            for (Item item : offers.getOrDefault(member, member.offer()).of(kind)) {
                String part = member.shownPart(kind, item.own());
                String shown = part == null ? null : ShownName.of(team.id(), part);
                if (shown != null && !names.containsKey(shown)) {
                    names.put(shown, new Entry(member, item, shown, team.id()));
                }
            }
        }
    }

    private static boolean isListed(Entry entry, List<Team> teams) {
        boolean isOwn = entry.server().equals(entry.member().id());
        return !isOwn || teams.stream().noneMatch(team -> team.members().contains(entry.member()));
    }

    private static String address(Member member, Item item, Map<String, Member> owners) {
        String own = item.own();
        return member.equals(owners.get(own)) ? own : explicit(member.id(), own);
    }

    /// Who is meant by an address. Nobody by one that looks as if it named a server: it could name another.
    private static Map<String, Member> owners(Kind kind, Map<Member, Offer> offers, @Nullable Catalog before) {
        Map<String, Member> owners = new HashMap<>();
        offers.forEach((member, offer) -> offer.of(kind).stream()
                .map(Item::own)
                .filter(own -> !own.startsWith(EXPLICIT))
                .forEach(own -> {
                    Entry earlier = before == null ? null : before.find(kind, own);
                    if (earlier != null && earlier.member().equals(member)) {
                        owners.put(own, member);
                    } else {
                        owners.putIfAbsent(own, member);
                    }
                }));
        return owners;
    }

    /// An address with its server in it, for those that another server owns.
    static String explicit(String server, String address) {
        return EXPLICIT + server + "/" + URLEncoder.encode(address, StandardCharsets.UTF_8);
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
