package dev.fusebox.config;

import java.util.List;
import java.util.stream.Stream;

/// The result of reading a configuration. Immutable.
public sealed interface ReadResult {
    /// A usable configuration, in which single servers may be invalid.
    ///
    /// @param warnings valid but probably unintended settings
    record Usable(Configuration configuration, List<ConfigProblem> warnings) implements ReadResult {
        public Usable {
            warnings = List.copyOf(warnings);
        }

        @Override
        public List<ConfigProblem> problems() {
            return configuration.problems().toList();
        }
    }

    /// An unusable configuration.
    ///
    /// @param problems all problems, at least one
    /// @param warnings valid but probably unintended settings
    record Refused(List<ConfigProblem> problems, List<ConfigProblem> warnings) implements ReadResult {
        public Refused {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }

    /// All problems, in the order of the file.
    List<ConfigProblem> problems();

    /// All warnings, in the order of the file.
    List<ConfigProblem> warnings();

    /// Problems first, a line each.
    default Stream<String> lines() {
        return Stream.concat(
                problems().stream().map(ConfigProblem::toString),
                warnings().stream().map(warning -> "warning: " + warning));
    }
}
