package dev.fusebox.config;

import dev.fusebox.config.ForeignKey.Treatment;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An object of the file, read by the table of keys. Errors in it were reported when it was read; an invalid value
/// counts as left out. Immutable.
///
/// @param location of the object
/// @param values by the names of their keys; null for a `null` in the file
/// @param locations the locations of the keys, whether or not their values are valid
/// @param isUnderstood whether every name in it is a key
record ConfigSection(
        SourceLocation location,
        Map<String, @Nullable Object> values,
        Map<String, SourceLocation> locations,
        boolean isUnderstood) {
    /// A section without keys.
    static ConfigSection empty(SourceLocation location) {
        return new ConfigSection(location, Map.of(), Map.of(), true);
    }

    /// A section of values that do not come from a file.
    static ConfigSection made(SourceLocation location, Map<String, ?> values) {
        return new ConfigSection(location, Collections.unmodifiableMap(new HashMap<>(values)), Map.of(), true);
    }

    /// A section of valid text that does not come from a file.
    static ConfigSection parse(SectionType sectionType, String json) {
        JsonView object = JsonView.of(json);
        ProblemList problems = new ProblemList(SourceText.of("a preset", object.bytes()));
        return read(sectionType, object, SourceLocation.unknown(problems));
    }

    static ConfigSection read(SectionType sectionType, JsonView object, SourceLocation location) {
        Map<String, JsonMember> members = JsonMember.of(object, location);
        if (members == null) {
            return new ConfigSection(location, Map.of(), Map.of(), false);
        }
        Map<String, ConfigKey<?>> keys = new HashMap<>();
        sectionType.keys().forEach(key -> keys.put(key.name(), key));
        Map<String, @Nullable Object> values = new HashMap<>();
        Map<String, SourceLocation> locations = new HashMap<>();
        boolean isUnderstood = true;
        for (Map.Entry<String, JsonMember> each : members.entrySet()) {
            JsonMember member = each.getValue();
            ConfigKey<?> key = keys.get(each.getKey());
            if (key == null) {
                isUnderstood &= sectionType.unknown(each.getKey(), member.nameLocation()) == Treatment.ACCEPTED;
            } else {
                locations.put(key.name(), member.nameLocation());
                put(values, key, member);
            }
        }
        return new ConfigSection(location, values, locations, isUnderstood);
    }

    private static void put(Map<String, @Nullable Object> values, ConfigKey<?> key, JsonMember member) {
        if (key.isNullable() && member.value().isNull()) {
            values.put(key.name(), null);
            return;
        }
        Object value = key.valueType().read(member.value(), member.location());
        if (value != null) {
            values.put(key.name(), value);
        }
    }

    /// Whether the key is present, valid or not.
    boolean has(ConfigKey<?> key) {
        return locations.containsKey(key.name());
    }

    /// Whether the key is present and valid.
    boolean isSet(ConfigKey<?> key) {
        return values.containsKey(key.name());
    }

    /// The location of the key; that of the section if it is left out.
    SourceLocation at(ConfigKey<?> key) {
        SourceLocation at = locations.get(key.name());
        return at == null ? location : at;
    }

    /// The value; null if there is none.
    <T> @Nullable T written(ConfigKey<T> key) {
        // The type of the key determined the type of the value.
        @SuppressWarnings("unchecked")
        T value = (T) values.get(key.name());
        return value;
    }

    /// The value, or the default; null if there is neither.
    <T> @Nullable T orUsual(ConfigKey<T> key) {
        return isSet(key) ? written(key) : key.usual();
    }

    /// The value, or the default, of a key that always has one of them.
    <T> T value(ConfigKey<T> key) {
        T value = orUsual(key);
        if (value == null) {
            throw new IllegalStateException(key.name() + " has no usual value");
        }
        return value;
    }

    /// A nested section; empty if it is left out or not an object.
    ConfigSection section(ConfigKey<ConfigSection> key) {
        ConfigSection inner = written(key);
        return inner == null ? empty(at(key)) : inner;
    }

    /// A whole number that always has a value.
    int number(ConfigKey<Long> key) {
        return Math.toIntExact(value(key));
    }

    /// A time in milliseconds that always has a value.
    Duration millis(ConfigKey<Long> key) {
        return Duration.ofMillis(value(key));
    }

    /// This section, completed with the values of others, in order of precedence.
    ConfigSection over(ConfigSection... others) {
        Map<String, @Nullable Object> merged = new HashMap<>();
        for (ConfigSection other : List.of(others).reversed()) {
            merged.putAll(other.values);
        }
        merged.putAll(values);
        return new ConfigSection(location, merged, locations, isUnderstood);
    }
}
