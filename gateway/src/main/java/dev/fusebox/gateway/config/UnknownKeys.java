package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.ForeignKey.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Keys that stand in a place and are not in its table. Immutable.
///
/// @param sectionType whose keys may have been meant
/// @param later keys that are not supported yet
/// @param foreignKeys keys of other programs
record UnknownKeys(SectionType sectionType, Set<String> later, List<ForeignKey> foreignKeys) {
    /// Says what is wrong with a key.
    Verdict meet(String name, SourceLocation location) {
        Optional<ForeignKey> known =
                foreignKeys.stream().filter(each -> each.name().equals(name)).findFirst();
        if (known.isPresent()) {
            return meet(known.get(), location);
        }
        if (later.contains(name)) {
            location.error("is not supported yet");
        } else {
            guess(name)
                    .ifPresentOrElse(
                            guess -> location.error("is not a key of Fusebox", guess),
                            () -> location.error("is not a key of Fusebox" + otherHome(name)));
        }
        return Verdict.REFUSED;
    }

    private static Verdict meet(ForeignKey known, SourceLocation location) {
        switch (known.verdict()) {
            case ACCEPTED -> location.warn(known.words());
            case REFUSED -> location.error(known.words());
        }
        return known.verdict();
    }

    private Optional<String> guess(String name) {
        return SpellingSuggestion.nearest(
                name, sectionType.keys().stream().map(ConfigKey::name).toList());
    }

    /// A key that is right in another place was put into the wrong object.
    private static String otherHome(String name) {
        List<String> homes = SectionType.ALL.stream()
                .filter(sectionType ->
                        sectionType.keys().stream().anyMatch(key -> key.name().equals(name)))
                .map(SectionType::words)
                .toList();
        return homes.isEmpty() ? "" : " in this place; it stands in " + String.join(" or ", homes);
    }
}
