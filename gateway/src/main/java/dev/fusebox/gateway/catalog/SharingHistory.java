package dev.fusebox.gateway.catalog;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a server has shown about sharing its process, in this run or an earlier one. Immutable.
///
/// @param asked what it has asked of its client
/// @param unused capabilities of clients whose calls it has answered without asking anything
/// @param alike capabilities of clients, as [dev.fusebox.client.ClientMetadata#profile] writes them, to which it
/// has shown the same lists
public record SharingHistory(Asking asked, Set<String> unused, Set<String> alike) {
    /// Of a server that has not run yet.
    public static final SharingHistory NOTHING = new SharingHistory(Asking.NOTHING, Set.of(), Set.of());

    private static final String ASKING = "asking";
    private static final String UNUSED = "unused";
    private static final String ALIKE = "alike";

    public SharingHistory {
        unused = Set.copyOf(unused);
        alike = Set.copyOf(alike);
    }

    /// Whether clients with these capabilities see the same lists, as far as that is known.
    public boolean isAlike(String profile, String other) {
        return profile.equals(other) || (alike.contains(profile) && alike.contains(other));
    }

    SharingHistory withAsked(Asking other) {
        return new SharingHistory(asked.or(other), unused, alike);
    }

    SharingHistory withUnused(Set<String> capabilities) {
        return new SharingHistory(asked, union(unused, capabilities), alike);
    }

    SharingHistory withAlike(String profile) {
        return new SharingHistory(asked, unused, union(alike, Set.of(profile)));
    }

    /// The same after the lists have changed, as seen by a client with these capabilities.
    SharingHistory withLists(@Nullable String profile) {
        return new SharingHistory(asked, unused, profile == null ? Set.of() : Set.of(profile));
    }

    /// What is still assumed after the program of the server has changed: a server that has asked may ask again.
    SharingHistory ofNewLaunch() {
        return new SharingHistory(asked, Set.of(), Set.of());
    }

    SharingHistory and(SharingHistory other) {
        return new SharingHistory(asked.or(other.asked), union(unused, other.unused), union(alike, other.alike));
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        Set<String> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }

    // ---- JSON

    /// Writes what is known as members of an object.
    void write(JsonWriter text) {
        if (asked != Asking.NOTHING) {
            text.name(ASKING).string(asked.word());
        }
        write(text, UNUSED, unused);
        write(text, ALIKE, alike);
    }

    private static void write(JsonWriter text, String name, Set<String> words) {
        if (!words.isEmpty()) {
            text.name(name).beginArray();
            new TreeSet<>(words).forEach(text::string);
            text.endArray();
        }
    }

    static SharingHistory read(JsonView whole) {
        return new SharingHistory(Asking.of(whole.string(ASKING)), words(whole, UNUSED), words(whole, ALIKE));
    }

    private static Set<String> words(JsonView whole, String name) {
        JsonView listed = whole.member(name);
        List<JsonView> elements = listed == null || !listed.isArray() ? List.of() : listed.elements();
        return elements.stream().map(JsonView::string).filter(Objects::nonNull).collect(Collectors.toSet());
    }
}
