package dev.fusebox.gateway.crowd;

import java.util.List;
import java.util.Optional;

/// The tools of a server as they are seen from outside. Pure functions.
final class Tooling {
    private Tooling() {}

    static List<Sight.Tool> of(Member member) {
        return member.offer().of(Kind.TOOLS).stream()
                .flatMap(tool ->
                        Optional.ofNullable(member.shownName(Kind.TOOLS, tool.own()))
                                .map(shown -> seen(tool, shown))
                                .stream())
                .toList();
    }

    static Sight.Tool seen(Item tool, String shown) {
        return new Sight.Tool(tool.own(), shown, tool.definition());
    }

    /// What clients call them, without the name of their server.
    static List<String> names(Member member) {
        return member.offer().of(Kind.TOOLS).stream()
                .flatMap(tool -> Optional.ofNullable(member.shownPart(Kind.TOOLS, tool.own())).stream())
                .toList();
    }
}
