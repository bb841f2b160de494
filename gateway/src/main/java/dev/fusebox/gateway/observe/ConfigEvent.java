package dev.fusebox.gateway.observe;

import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What became of a configuration that was read while the gateway runs. Immutable.
public sealed interface ConfigEvent extends Event {
    @Override
    default @Nullable String server() {
        return null;
    }

    /// It holds now.
    ///
    /// @param added servers
    /// @param changed servers that are reached otherwise, or whose calls keep to other rules
    /// @param removed servers
    /// @param nextStart keys for all servers that have an effect only when the gateway starts again
    /// @param summary all of this, for people
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

    /// It is not used; what held before still holds.
    ///
    /// @param problems all that is wrong, at least one thing, each with its place in the file if it has one
    record Rejected(List<String> problems) implements ConfigEvent {
        /// More of them are no line any more.
        private static final int MOST_SHOWN = 3;

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

        /// For people, on one line.
        public String summary() {
            int more = problems.size() - MOST_SHOWN;
            Stream<String> rest = more > 0
                    ? Stream.of(more + " more, which `" + FuseboxCommand.onFile("config", "check") + "` shows")
                    : Stream.empty();
            return Stream.concat(problems.stream().limit(MOST_SHOWN), rest).collect(Collectors.joining("; "));
        }
    }

    private static void list(JsonWriter into, String name, List<String> texts) {
        into.name(name).beginArray();
        texts.forEach(into::string);
        into.endArray();
    }
}
