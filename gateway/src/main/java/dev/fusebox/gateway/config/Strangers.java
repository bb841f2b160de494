package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.Foreign.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Keys that stand in a place and are not in its table. Immutable.
///
/// @param place whose keys may have been meant
/// @param later keys that are not supported yet
/// @param foreign keys of other programs
record Strangers(Place place, Set<String> later, List<Foreign> foreign) {
    /// Says what is wrong with a key.
    Verdict meet(String name, Spot spot) {
        Optional<Foreign> known =
                foreign.stream().filter(each -> each.name().equals(name)).findFirst();
        if (known.isPresent()) {
            return meet(known.get(), spot);
        }
        if (later.contains(name)) {
            spot.error("is not supported yet");
        } else {
            guess(name)
                    .ifPresentOrElse(
                            guess -> spot.error("is not a key of Fusebox", guess),
                            () -> spot.error("is not a key of Fusebox" + otherHome(name)));
        }
        return Verdict.REFUSED;
    }

    private static Verdict meet(Foreign known, Spot spot) {
        switch (known.verdict()) {
            case ACCEPTED -> spot.warn(known.words());
            case REFUSED -> spot.error(known.words());
        }
        return known.verdict();
    }

    private Optional<String> guess(String name) {
        return Spelling.nearest(name, place.keys().stream().map(Key::name).toList());
    }

    /// A key that is right in another place was put into the wrong object.
    private static String otherHome(String name) {
        List<String> homes = Place.ALL.stream()
                .filter(place ->
                        place.keys().stream().anyMatch(key -> key.name().equals(name)))
                .map(Place::words)
                .toList();
        return homes.isEmpty() ? "" : " in this place; it stands in " + String.join(" or ", homes);
    }
}
