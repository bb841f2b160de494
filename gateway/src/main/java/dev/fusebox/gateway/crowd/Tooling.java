package dev.fusebox.gateway.crowd;

import dev.fusebox.gateway.era.ClientMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The tools of a server as they are seen from outside, put together once for each list and set of rules: every
/// search looks how the servers are, and some have thousands. Thread-safe; two who look at once may both put them
/// together.
final class Tooling {
    private volatile @Nullable Shown latest;

    /// @param tools of this offer, by these rules
    private record Shown(Offer offer, MemberRules rules, List<Sight.Tool> tools) {}

    /// @param rules by which the member names what it shows
    @SuppressWarnings("ReferenceEquality") // what is equal only would have to be compared tool by tool
    List<Sight.Tool> of(Member member, MemberRules rules) {
        Offer offer = member.offer();
        Shown known = latest;
        if (known == null || known.offer() != offer || known.rules() != rules) {
            known = new Shown(offer, rules, tools(member.id(), offer, rules));
            latest = known;
        }
        return known.tools();
    }

    private static List<Sight.Tool> tools(String server, Offer offer, MemberRules rules) {
        List<Sight.Tool> tools = new ArrayList<>();
        for (Item tool : offer.of(Kind.TOOLS)) {
            String part = rules.shown(tool.own());
            if (part != null) {
                tools.add(seen(tool, ShownName.of(server, part)));
            }
        }
        return List.copyOf(tools);
    }

    static Sight.Tool seen(Item tool, String shown) {
        return new Sight.Tool(tool.own(), shown, tool.definition());
    }

    /// What clients call them, without the name of their server.
    static List<String> names(Member member, ClientMetadata client) {
        return member.lists().offer(client).of(Kind.TOOLS).stream()
                .flatMap(tool -> Optional.ofNullable(member.shownPart(Kind.TOOLS, tool.own())).stream())
                .toList();
    }
}
