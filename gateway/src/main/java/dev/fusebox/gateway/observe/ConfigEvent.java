package dev.fusebox.gateway.observe;

import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The event of a configuration reload. Immutable.
public sealed interface ConfigEvent extends Event {
    @Override
    default @Nullable String server() {
        return null;
    }

    /// Applied.
    ///
    /// @param added servers
    /// @param changed servers with another endpoint or other settings for calls
    /// @param removed servers
    /// @param nextStart changed keys for all servers that apply only after a restart
    /// @param summary all changes, for people
    record Applied(
            List<String> added, List<String> changed, List<String> removed, List<String> nextStart, String summary)
            implements ConfigEvent {
        public Applied {
            added = List.copyOf(added);
            changed = List.copyOf(changed);
            removed = List.copyOf(removed);
            nextStart = List.copyOf(nextStart);
        }

        @Override
        public String type() {
            return "config.applied";
        }

        @Override
        public void describe(JsonWriter into) {
            list(into, "added", added);
            list(into, "changed", changed);
            list(into, "removed", removed);
            list(into, "nextStart", nextStart);
        }
    }

    /// Rejected; the previous configuration stays in use.
    ///
    /// @param problems all errors, at least one, each with its location in the file if it has one
    record Rejected(List<String> problems) implements ConfigEvent {
        /// More would not fit on a line.
        private static final int MAX_SHOWN = 3;

        public Rejected {
            problems = List.copyOf(problems);
        }

        @Override
        public String type() {
            return "config.rejected";
        }

        @Override
        public void describe(JsonWriter into) {
            list(into, "problems", problems);
        }

        /// One line for people.
        public String summary() {
            int more = problems.size() - MAX_SHOWN;
            Stream<String> rest = more > 0
                    ? Stream.of(more + " more (see `" + FuseboxCommand.onFile("config", "check") + "`)")
                    : Stream.empty();
            return Stream.concat(problems.stream().limit(MAX_SHOWN), rest).collect(Collectors.joining("; "));
        }
    }

    private static void list(JsonWriter into, String name, List<String> texts) {
        into.name(name).beginArray();
        texts.forEach(into::string);
        into.endArray();
    }
}
