package dev.fusebox.gateway.crowd;

import dev.fusebox.gateway.meta.Offered;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools of all servers as they are searched: put together anew when the catalog is another, or a server has said
/// itself what only memory had said. Thread-safe; two who ask at once may both put them together.
final class Searched {
    private volatile @Nullable Made made;

    /// @param live how many servers had spoken for themselves
    private record Made(Catalog catalog, long live, Offered offered) {}

    Offered of(Catalog catalog, List<Member> members) {
        long live = members.stream().filter(Member::isLive).count();
        Made last = made;
        if (last == null || last.catalog() != catalog || last.live() != live) {
            last = new Made(catalog, live, offered(catalog));
            made = last;
        }
        return last.offered();
    }

    private static Offered offered(Catalog catalog) {
        List<Offered.Tool> tools = new ArrayList<>();
        for (Catalog.Entry entry : catalog.all(Kind.TOOLS)) {
            Member member = entry.member();
            String part = member.shownPart(Kind.TOOLS, entry.item().own());
            if (part != null) {
                tools.add(new Offered.Tool(entry.server(), part, entry.item().definition(), member.isLive()));
            }
        }
        return new Offered(catalog, tools);
    }
}
