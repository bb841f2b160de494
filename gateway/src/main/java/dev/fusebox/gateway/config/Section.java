package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.Foreign.Verdict;
import dev.fusebox.protocol.JsonView;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An object of the file, read as the table of keys has it. Whatever is wrong in it was told when it was read, and
/// reads as if it were left out. Immutable.
///
/// @param spot of the object
/// @param values by the names of their keys; null for one that says `null`
/// @param spots where the names stand that are keys, whether or not their values could be read
/// @param isUnderstood whether every name in it was a key
record Section(Spot spot, Map<String, @Nullable Object> values, Map<String, Spot> spots, boolean isUnderstood) {
    /// Without any key.
    static Section empty(Spot spot) {
        return new Section(spot, Map.of(), Map.of(), true);
    }

    /// Of values that stand in no file.
    static Section made(Spot spot, Map<String, ?> values) {
        return new Section(spot, Collections.unmodifiableMap(new HashMap<>(values)), Map.of(), true);
    }

    static Section read(Place place, JsonView object, Spot spot) {
        Map<String, Member> members = Member.of(object, spot);
        if (members == null) {
            return new Section(spot, Map.of(), Map.of(), false);
        }
        Map<String, Key<?>> keys = new HashMap<>();
        place.keys().forEach(key -> keys.put(key.name(), key));
        Map<String, @Nullable Object> values = new HashMap<>();
        Map<String, Spot> spots = new HashMap<>();
        boolean isUnderstood = true;
        for (Map.Entry<String, Member> each : members.entrySet()) {
            Member member = each.getValue();
            Key<?> key = keys.get(each.getKey());
            if (key == null) {
                isUnderstood &= place.strangers().meet(each.getKey(), member.nameSpot()) == Verdict.ACCEPTED;
            } else {
                spots.put(key.name(), member.nameSpot());
                put(values, key, member);
            }
        }
        return new Section(spot, values, spots, isUnderstood);
    }

    private static void put(Map<String, @Nullable Object> values, Key<?> key, Member member) {
        if (key.isNullable() && member.value().isNull()) {
            values.put(key.name(), null);
            return;
        }
        Object value = key.kind().read(member.value(), member.spot());
        if (value != null) {
            values.put(key.name(), value);
        }
    }

    /// Whether the key is there, good or not.
    boolean has(Key<?> key) {
        return spots.containsKey(key.name());
    }

    /// Whether the key is there and could be read.
    boolean says(Key<?> key) {
        return values.containsKey(key.name());
    }

    /// Where the key stands; the whole section if it is left out.
    Spot at(Key<?> key) {
        Spot at = spots.get(key.name());
        return at == null ? spot : at;
    }

    /// What it says; null for nothing.
    <T> @Nullable T written(Key<T> key) {
        // Only the kind of the key put it there.
        @SuppressWarnings("unchecked")
        T value = (T) values.get(key.name());
        return value;
    }

    /// What it says, or what is usual; null if neither is anything.
    <T> @Nullable T orUsual(Key<T> key) {
        return says(key) ? written(key) : key.usual();
    }

    /// What it says, or what is usual, of a key that always is something.
    <T> T value(Key<T> key) {
        T value = orUsual(key);
        if (value == null) {
            throw new IllegalStateException(key.name() + " has no usual value");
        }
        return value;
    }

    /// An object in it; an empty one if it is left out or is none.
    Section section(Key<Section> key) {
        Section inner = written(key);
        return inner == null ? empty(at(key)) : inner;
    }

    /// This one first, then the others.
    Layers over(Section... others) {
        List<Section> below = List.of(others);
        return new Layers(this, below);
    }
}
