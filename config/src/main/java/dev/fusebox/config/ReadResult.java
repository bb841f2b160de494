package dev.fusebox.config;

import java.util.List;
import java.util.stream.Stream;

/// What reading a configuration gave. Immutable.
public sealed interface ReadResult {
    /// It can be used, though single servers may be faulty.
    ///
    /// @param warnings what is right and may not be what was meant
    record Usable(Configuration configuration, List<ConfigProblem> warnings) implements ReadResult {
        public Usable {
            warnings = List.copyOf(warnings);
        }

        @Override
        public List<ConfigProblem> problems() {
            return configuration.problems().toList();
        }
    }

    /// It cannot be used.
    ///
    /// @param problems all that is wrong, at least one thing
    /// @param warnings what is right and may not be what was meant
    record Refused(List<ConfigProblem> problems, List<ConfigProblem> warnings) implements ReadResult {
        public Refused {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }

    /// All that is wrong, in the order of the file.
    List<ConfigProblem> problems();

    /// What is right and may not be what was meant, in the order of the file.
    List<ConfigProblem> warnings();

    /// Problems first, a line each.
    default Stream<String> lines() {
        return Stream.concat(
                problems().stream().map(ConfigProblem::toString),
                warnings().stream().map(warning -> "warning: " + warning));
    }
}
