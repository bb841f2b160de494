package dev.fusebox.config;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The options of a command that replace keys of the file. They take precedence over everything else. Immutable.
///
/// @param values by the name of the section and the name of the key
/// @param profile the part of the configuration that is used; null for all of it
public record Overrides(
        Map<String, Map<String, Object>> values, @Nullable String profile) {
    public static final Overrides NONE = new Overrides(Map.of(), null);

    private static final Map<String, Option> OPTIONS = Map.of(
            "--expose", new Option(FileSection.SECTION, FileSection.EXPOSE),
            "--host", new Option(HttpSection.SECTION, HttpSection.HOST),
            "--port", new Option(HttpSection.SECTION, HttpSection.PORT),
            "--failure-threshold", new Option(BreakerSection.SECTION, BreakerSection.FAILURE_THRESHOLD),
            "--cooldown", new Option(BreakerSection.SECTION, BreakerSection.COOLDOWN_MS),
            "--max-connections", new Option(PoolSection.SECTION, PoolSection.POOL_SIZE),
            "--idle-timeout", new Option(PoolSection.SECTION, PoolSection.IDLE_TIMEOUT_MS));

    private record Option(SectionType sectionType, ConfigKey<?> key) {}

    /// A value, or a description of its error without the subject.
    record Read<T>(@Nullable T value, @Nullable String complaint) {
        /// A text from the command line or the environment, which has no quotes.
        static <T> Read<T> of(ConfigKey<T> key, String text) {
            boolean isNumber = text.matches("0|-?[1-9][0-9]{0,20}");
            JsonView json = JsonView.of(isNumber ? text : JsonWriter.quoted(text));
            ProblemList problems = new ProblemList(SourceText.of("", json.bytes()));
            T value = key.valueType().read(json, SourceLocation.unknown(problems));
            List<ConfigProblem> errors = problems.errors();
            return new Read<>(value, errors.isEmpty() ? null : errors.getFirst().message());
        }
    }

    /// The supported options.
    public static Set<String> options() {
        return OPTIONS.keySet();
    }

    /// The error in the value of an option, without its subject; empty if there is none.
    public static Optional<String> complaint(String option, String text) {
        return Optional.ofNullable(Read.of(of(option).key(), text).complaint());
    }

    /// The same with one more option.
    ///
    /// @throws IllegalArgumentException if its value is invalid
    public Overrides with(String option, String text) {
        Option known = of(option);
        Read<?> read = Read.of(known.key(), text);
        Object value = read.value();
        if (value == null) {
            throw new IllegalArgumentException(option + " " + read.complaint());
        }
        String place = known.sectionType().label();
        Map<String, Object> ofPlace = new HashMap<>(values.getOrDefault(place, Map.of()));
        ofPlace.put(known.key().name(), value);
        Map<String, Map<String, Object>> more = new HashMap<>(values);
        more.put(place, Map.copyOf(ofPlace));
        return new Overrides(Map.copyOf(more), profile);
    }

    /// The same with the part of the configuration that a profile has.
    ///
    /// @param other null for all of it
    public Overrides inProfile(@Nullable String other) {
        return new Overrides(values, other);
    }

    /// Whether this option was given.
    public boolean has(String option) {
        Option known = of(option);
        return values.getOrDefault(known.sectionType().label(), Map.of())
                .containsKey(known.key().name());
    }

    private static Option of(String option) {
        Option known = OPTIONS.get(option);
        if (known == null) {
            throw new IllegalArgumentException(option + " overrides no key");
        }
        return known;
    }

    /// The options in the form of the file.
    ConfigSection section(SectionType sectionType, ProblemList problems) {
        return ConfigSection.made(SourceLocation.unknown(problems), values.getOrDefault(sectionType.label(), Map.of()));
    }
}
