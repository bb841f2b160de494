package dev.fusebox.config;

import dev.fusebox.config.SourceText.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The problems of a file, or of one server in it: reading continues after the first. Not thread-safe.
final class ProblemList {
    private static final Comparator<ConfigProblem> AS_READ = (one, other) -> one.line() == other.line()
            ? Integer.compare(one.column(), other.column())
            : Integer.compare(one.line(), other.line());

    private final SourceText source;
    private final Function<String, List<String>> sectionsWith;
    private final List<ConfigProblem> errors = new ArrayList<>();
    private final List<ConfigProblem> warnings = new ArrayList<>();

    /// @param sectionsWith the sections of the file that have a key of a name, as messages name them
    ProblemList(SourceText source, Function<String, List<String>> sectionsWith) {
        this.source = source;
        this.sectionsWith = sectionsWith;
    }

    /// For text that is not a whole file.
    ProblemList(SourceText source) {
        this(source, key -> List.of());
    }

    /// The sections that have a key of this name, as messages name them.
    List<String> sectionsWith(String key) {
        return sectionsWith.apply(key);
    }

    SourceText source() {
        return source;
    }

    /// A separate list for a part of the same file.
    ProblemList apart() {
        return new ProblemList(source, sectionsWith);
    }

    void error(SourceLocation where, String message, @Nullable String guess) {
        errors.add(problem(where, message, guess, false));
    }

    /// A secret that the keyring, or a program of the operator, does not give.
    void keyringError(SourceLocation where, String message) {
        errors.add(problem(where, message, null, true));
    }

    void warn(SourceLocation where, String message) {
        warnings.add(problem(where, message, null, false));
    }

    private ConfigProblem problem(SourceLocation where, String message, @Nullable String guess, boolean isOfKeyring) {
        Position position = source.at(where.offset());
        return new ConfigProblem(
                source.file(), position.line(), position.column(), where.pointer(), message, guess, isOfKeyring);
    }

    /// Adds the warnings of another list, but not its errors.
    void adoptWarnings(ProblemList others) {
        warnings.addAll(others.warnings);
    }

    boolean hasErrors() {
        return !errors.isEmpty();
    }

    /// In the order of the file.
    List<ConfigProblem> errors() {
        return sorted(errors);
    }

    /// In the order of the file.
    List<ConfigProblem> warnings() {
        return sorted(warnings);
    }

    static List<ConfigProblem> sorted(List<ConfigProblem> problems) {
        return problems.stream().sorted(AS_READ).toList();
    }
}
