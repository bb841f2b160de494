package dev.fusebox.gateway.arguments;

import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Checks the arguments of calls against the `inputSchema` of their tools: draft 2020-12, and draft-07 and others
/// where `$schema` says so. Keeps the schemas that were used last, a tool each. Thread-safe; nothing blocks and
/// nothing is fetched, and a check ends after some tenths of a second at the very most.
///
/// In doubt a call is let through, for its server will judge it again: a schema or arguments that are too large, a
/// schema that is no schema or refers to others, a pattern that looks around, a check with too many steps. A
/// warning says so once for each tool.
public final class ArgumentCheck {
    private static final Logger LOG = LazyLoggers.of(ArgumentCheck.class);

    /// Schemas of tools have some kilobytes; larger ones were made by a machine, or to be in the way.
    private static final int LARGEST_SCHEMA = 256 * 1024;

    /// What is larger carries a file, and its tree would take ten times as much.
    private static final int LARGEST_ARGUMENTS = 1024 * 1024;

    /// A schema that is ready for use takes some twenty times its text.
    private static final int MOST_SCHEMA_BYTES = 2 * 1024 * 1024;

    private static final int MOST_TOOLS = 2_000;

    /// As many as a schema's checks tell.
    private static final int MOST_PROBLEMS = 10;

    private static final JsonView EMPTY = JsonView.of("{}");

    private final Map<Object, Known> tools = new LinkedHashMap<>(16, 0.75f, true);
    private int schemaBytes;

    public ArgumentCheck() {
        // No tool is known yet.
    }

    /// A tool's schema and what became of it.
    private static final class Known {
        private final JsonView schema;
        private final boolean isTooLarge;
        private final ToolSchema ready;
        private volatile boolean isOff;
        private boolean isWarned;

        /// Takes a copy, for the view holds the whole list that the schema came in; of one that is too large
        /// nothing.
        Known(JsonView given) {
            this.isTooLarge = given.length() > LARGEST_SCHEMA;
            this.schema = isTooLarge ? EMPTY : copy(given);
            this.ready = new ToolSchema(schema);
        }

        boolean isOf(JsonView given) {
            return isTooLarge ? given.length() > LARGEST_SCHEMA : schema.equals(given);
        }

        private static JsonView copy(JsonView given) {
            try {
                return JsonView.parse(given.bytes());
            } catch (JsonSyntaxError impossible) {
                throw new IllegalStateException("a part of JSON is JSON", impossible);
            }
        }

        /// Perhaps for good; true if nobody was warned yet.
        synchronized boolean turnOff(boolean forGood) {
            isOff |= forGood;
            boolean isFirst = !isWarned;
            isWarned = true;
            return isFirst;
        }
    }

    /// What is wrong with the arguments, at most ten things; null if nothing is, or if that cannot be told.
    ///
    /// @param tool which tool it is, equal for the same one; shown in warnings
    /// @param schema its `inputSchema`; null if it has none
    /// @param arguments null if there are none, which is the same as an empty object
    public @Nullable List<ArgumentProblem> check(Object tool, @Nullable JsonView schema, @Nullable JsonView arguments) {
        JsonView given = arguments == null ? EMPTY : arguments;
        if (schema == null || given.length() > LARGEST_ARGUMENTS) {
            return null;
        }
        List<ArgumentProblem> twice = standTwice(given);
        if (!twice.isEmpty()) {
            return twice;
        }
        Known known = known(tool, schema);
        return known.isOff ? null : check(tool, known, given);
    }

    /// The arguments without the nulls that their schema refuses for optional properties, if they are good then;
    /// null if they are not, or if there are none. For arguments in which [#check] has found problems.
    public @Nullable JsonView withoutNulls(Object tool, JsonView schema, JsonView arguments) {
        Known known = known(tool, schema);
        if (known.isOff || known.isTooLarge || !arguments.isObject()) {
            return null;
        }
        try {
            JsonView less = OptionalNulls.leftOut(known.schema, arguments, known.ready.wrongPlaces(arguments));
            return less != null
                            && standTwice(less).isEmpty()
                            && known.ready.problems(less).isEmpty()
                    ? less
                    : null;
        } catch (CheckAbandoned undecided) {
            return null;
        }
    }

    /// Of two arguments with one name the schema would be held against one, and the server might take the other.
    private static List<ArgumentProblem> standTwice(JsonView arguments) {
        Set<String> names = new HashSet<>();
        List<ArgumentProblem> twice = new ArrayList<>();
        arguments.forEachMember((name, value) -> {
            if (!names.add(name) && twice.size() < MOST_PROBLEMS) {
                twice.add(new ArgumentProblem("/" + ProblemText.inLog(name), "stands twice"));
            }
        });
        return twice;
    }

    private @Nullable List<ArgumentProblem> check(Object tool, Known known, JsonView arguments) {
        try {
            if (known.isTooLarge) {
                throw new CheckAbandoned("its schema has more than " + LARGEST_SCHEMA + " bytes");
            }
            List<ArgumentProblem> problems = known.ready.problems(arguments);
            return problems.isEmpty() ? null : problems;
        } catch (CheckAbandoned why) {
            warn(tool, known, why);
            return null;
        }
    }

    private static void warn(Object tool, Known known, CheckAbandoned why) {
        if (known.turnOff(!why.isForOneCall())) {
            String what = why.isForOneCall() ? "some arguments" : "the arguments";
            LOG.log(
                    Level.WARNING,
                    () -> what + " of the tool " + ProblemText.inLog(String.valueOf(tool)) + " are not checked: "
                            + ProblemText.inLog(String.valueOf(why.getMessage())));
        }
    }

    private synchronized Known known(Object tool, JsonView schema) {
        Known known = tools.get(tool);
        if (known == null || !known.isOf(schema)) {
            known = new Known(schema);
            replace(tools.put(tool, known), known);
        }
        return known;
    }

    private void replace(@Nullable Known before, Known now) {
        schemaBytes += now.schema.length() - (before == null ? 0 : before.schema.length());
        var eldest = tools.values().iterator();
        while (tools.size() > MOST_TOOLS || (schemaBytes > MOST_SCHEMA_BYTES && tools.size() > 1)) {
            schemaBytes -= eldest.next().schema.length();
            eldest.remove();
        }
    }
}
