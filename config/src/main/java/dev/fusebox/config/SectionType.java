package dev.fusebox.config;

import dev.fusebox.config.ForeignKey.Treatment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A kind of JSON object in the configuration file, and its keys. Each section class builds its own in its static
/// initializer; immutable and thread-safe after that.
final class SectionType {
    private final String label;
    private final String words;
    private final List<ConfigKey<?>> keys = new ArrayList<>();
    private final Set<String> later;
    private final List<ForeignKey> foreignKeys;

    /// @param label the name in the JSON schema
    /// @param words the name in messages
    /// @param later keys that are not supported yet
    /// @param foreignKeys keys of other programs
    SectionType(String label, String words, Set<String> later, List<ForeignKey> foreignKeys) {
        this.label = label;
        this.words = words;
        this.later = later;
        this.foreignKeys = foreignKeys;
    }

    /// @param label the name in the JSON schema and in messages
    SectionType(String label, String... later) {
        this(label, label, Set.of(later), List.of());
    }

    // ---- Building

    /// @param preset the default value as JSON; empty if there is none
    <T> ConfigKey<T> key(String name, ValueType<T> valueType, String preset, String meaning) {
        return add(new ConfigKey<>(name, valueType, preset, meaning, ConfigKey.AppliesTo.ALL, false));
    }

    /// A key that may be `null`.
    <T> ConfigKey<T> nullable(String name, ValueType<T> valueType, String preset, String meaning) {
        return add(new ConfigKey<>(name, valueType, preset, meaning, ConfigKey.AppliesTo.ALL, true));
    }

    /// A key of servers that are child processes.
    <T> ConfigKey<T> ofProcess(String name, ValueType<T> valueType, String preset, String meaning) {
        return add(new ConfigKey<>(name, valueType, preset, meaning, ConfigKey.AppliesTo.PROCESS, false));
    }

    /// A key of servers with a URL.
    <T> ConfigKey<T> ofUrl(String name, ValueType<T> valueType, String preset, String meaning) {
        return add(new ConfigKey<>(name, valueType, preset, meaning, ConfigKey.AppliesTo.URL, false));
    }

    /// A key whose value is an object.
    ConfigKey<ConfigSection> section(SectionType inner, String meaning) {
        return key(inner.label, new SectionValueType(inner), "", meaning);
    }

    <T> ConfigKey<T> add(ConfigKey<T> key) {
        keys.add(key);
        return key;
    }

    // ---- Reading

    String label() {
        return label;
    }

    String words() {
        return words;
    }

    /// In the order of the documentation.
    List<ConfigKey<?>> keys() {
        return Collections.unmodifiableList(keys);
    }

    boolean has(String name) {
        return keys.stream().anyMatch(key -> key.name().equals(name));
    }

    Set<String> later() {
        return later;
    }

    List<ForeignKey> foreignKeys() {
        return foreignKeys;
    }

    /// Reports a name that is not a key of this section.
    Treatment unknown(String name, SourceLocation location) {
        Optional<ForeignKey> known =
                foreignKeys.stream().filter(each -> each.name().equals(name)).findFirst();
        if (known.isPresent()) {
            known.get().report(location);
            return known.get().treatment();
        }
        if (later.contains(name)) {
            location.error("is not supported yet");
            return Treatment.REFUSED;
        }
        Optional<String> guess = SpellingSuggestion.nearest(
                name, keys.stream().map(ConfigKey::name).toList());
        List<String> homes = location.problems().sectionsWith(name);
        String home = guess.isPresent() || homes.isEmpty() ? "" : " here; it is a key of " + String.join(" or ", homes);
        location.error("is not a key of Fusebox" + home, guess);
        return Treatment.REFUSED;
    }
}
