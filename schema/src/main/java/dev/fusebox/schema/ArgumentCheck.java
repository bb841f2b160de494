package dev.fusebox.schema;

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

/// Validator of call arguments against the `inputSchema` of their tools: draft 2020-12, and draft-07 and others
/// where `$schema` names them. Caches the schemas used last, one for each tool. Thread-safe; nothing blocks and
/// nothing is fetched, and a check takes a few tenths of a second at the very most.
///
/// If a check is undecidable the call is let through, because the server validates it anyway: schema or arguments
/// too large, an invalid schema or one with remote references, a pattern with lookaround, a check with too many
/// steps. This is logged once for each tool.
public final class ArgumentCheck {
    private static final Logger LOG = LazyLoggers.of(ArgumentCheck.class);

    /// Tool schemas have a few kilobytes; larger ones are generated or malicious.
    private static final int MAX_SCHEMA = 256 * 1024;

    /// Larger arguments carry files, and their tree would take ten times as much memory.
    private static final int MAX_ARGUMENTS = 1024 * 1024;

    /// A compiled schema takes about twenty times the memory of its text.
    private static final int MAX_SCHEMA_BYTES = 2 * 1024 * 1024;

    private static final int MAX_TOOLS = 2_000;

    /// The limit of the schema checks, too.
    private static final int MAX_PROBLEMS = 10;

    private static final JsonView EMPTY = JsonView.of("{}");

    private final Map<Object, Known> tools = new LinkedHashMap<>(16, 0.75f, true);
    private int schemaBytes;

    public ArgumentCheck() {
        // No tool is known yet.
    }

    /// A tool's schema and its compiled form.
    private static final class Known {
        private final JsonView schema;
        private final boolean isTooLarge;
        private final ToolSchema ready;
        private volatile boolean isOff;
        private boolean isWarned;

        /// Copies the schema, because the view would retain the whole tool list; a schema that is too large is not
        /// kept.
        Known(JsonView given) {
            this.isTooLarge = given.length() > MAX_SCHEMA;
            this.schema = isTooLarge ? EMPTY : copy(given);
            this.ready = new ToolSchema(schema);
        }

        boolean isOf(JsonView given) {
            return isTooLarge ? given.length() > MAX_SCHEMA : schema.equals(given);
        }

        private static JsonView copy(JsonView given) {
            try {
                return JsonView.parse(given.bytes());
            } catch (JsonSyntaxError impossible) {
                throw new IllegalStateException("a part of valid JSON is invalid", impossible);
            }
        }

        /// Stops checking, perhaps for good; true if no warning was logged before.
        synchronized boolean turnOff(boolean forGood) {
            isOff |= forGood;
            boolean isFirst = !isWarned;
            isWarned = true;
            return isFirst;
        }
    }

    /// The problems of the arguments, at most ten; null if there are none, or if the check is undecidable.
    ///
    /// @param tool identifies the tool by equality; shown in warnings
    /// @param schema its `inputSchema`; null if it has none
    /// @param arguments null if there are none, which is equivalent to an empty object
    public @Nullable List<ArgumentProblem> check(Object tool, @Nullable JsonView schema, @Nullable JsonView arguments) {
        JsonView given = arguments == null ? EMPTY : arguments;
        if (schema == null || given.length() > MAX_ARGUMENTS) {
            return null;
        }
        List<ArgumentProblem> twice = duplicateNames(given);
        if (!twice.isEmpty()) {
            return twice;
        }
        Known known = known(tool, schema);
        return known.isOff ? null : check(tool, known, given);
    }

    /// The arguments without nulls that the schema does not allow for optional properties, if they are valid then;
    /// null if they are not, or if there are no such nulls. For arguments in which [#check] has found problems.
    public @Nullable JsonView withoutNulls(Object tool, JsonView schema, JsonView arguments) {
        Known known = known(tool, schema);
        if (known.isOff || known.isTooLarge || !arguments.isObject()) {
            return null;
        }
        try {
            JsonView less = OptionalNulls.leftOut(known.schema, arguments, known.ready.wrongPlaces(arguments));
            return less != null
                            && duplicateNames(less).isEmpty()
                            && known.ready.problems(less).isEmpty()
                    ? less
                    : null;
        } catch (CheckAbandoned undecided) {
            return null;
        }
    }

    /// With a duplicate name, the schema check might use another value than the server.
    private static List<ArgumentProblem> duplicateNames(JsonView arguments) {
        Set<String> names = new HashSet<>();
        List<ArgumentProblem> twice = new ArrayList<>();
        arguments.forEachMember((name, value) -> {
            if (!names.add(name) && twice.size() < MAX_PROBLEMS) {
                twice.add(new ArgumentProblem("/" + ProblemText.inLog(name), "appears twice"));
            }
        });
        return twice;
    }

    private @Nullable List<ArgumentProblem> check(Object tool, Known known, JsonView arguments) {
        try {
            if (known.isTooLarge) {
                throw new CheckAbandoned("its schema is larger than " + MAX_SCHEMA + " bytes");
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
            String what = why.isForOneCall() ? "some arguments" : "arguments";
            LOG.log(
                    Level.WARNING,
                    () -> what + " of tool " + ProblemText.inLog(String.valueOf(tool)) + " are not checked: "
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
        while (tools.size() > MAX_TOOLS || (schemaBytes > MAX_SCHEMA_BYTES && tools.size() > 1)) {
            schemaBytes -= eldest.next().schema.length();
            eldest.remove();
        }
    }
}
