package dev.fusebox.schema;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.Schema;
import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The schema of one tool. The validator library is loaded, and the schema compiled, by the first check that
/// [SimpleSchema] cannot decide. Thread-safe; nothing blocks.
final class ToolSchema {
    private static final int MAX_PROBLEMS = 10;
    private static final int MAX_REASON = 200;

    private final JsonView source;
    private final @Nullable SimpleSchema plain;
    private volatile @Nullable Schema ready;

    ToolSchema(JsonView source) {
        this.source = source;
        this.plain = SimpleSchema.of(source, CheckBudget.ofASchema());
    }

    /// The problems of the arguments, at most ten.
    List<ArgumentProblem> problems(JsonView arguments) {
        return found(arguments).stream()
                .map(ProblemText::problem)
                .distinct()
                .limit(MAX_PROBLEMS)
                .toList();
    }

    /// The JSON pointers of all invalid values.
    Set<String> wrongPlaces(JsonView arguments) {
        return found(arguments).stream()
                .map(error -> String.valueOf(error.getInstanceLocation()))
                .collect(Collectors.toSet());
    }

    private List<Error> found(JsonView arguments) {
        try {
            boolean isPlainlyRight = plain != null && plain.accepts(arguments, CheckBudget.ofACall());
            return isPlainlyRight ? List.of() : judged(ready(), arguments);
        } catch (CheckAbandoned why) {
            throw why;
        } catch (RuntimeException | StackOverflowError refused) {
            // An exception of the library about this schema is not the caller's fault.
            String reason = String.valueOf(refused.getMessage());
            throw new CheckAbandoned("its schema is not supported: " + ProblemText.cut(reason, MAX_REASON));
        } catch (OutOfMemoryError full) {
            throw full;
        } catch (java.lang.Error broken) {
            // Loading the library reads files, which fails without a free file descriptor.
            throw new CheckAbandoned("cannot load the validator: " + ProblemText.cut(broken.toString(), MAX_REASON))
                    .forOneCall();
        }
    }

    /// Arguments that make the library fail give no information about later ones, for example a name of 50,000
    /// letters, or more levels than the stack holds.
    private static List<Error> judged(Schema schema, JsonView arguments) {
        try {
            return errors(schema, arguments, CheckBudget.ofACall());
        } catch (CheckAbandoned why) {
            throw why;
        } catch (RuntimeException | StackOverflowError refused) {
            String reason = String.valueOf(refused.getMessage());
            throw new CheckAbandoned("the validator failed: " + ProblemText.cut(reason, MAX_REASON)).forOneCall();
        }
    }

    private Schema ready() {
        Schema known = ready;
        if (known == null) {
            known = within(CheckBudget.ofASchema(), () -> SchemaValidator.compile(source.json()));
            mustBeASchema(known);
            ready = known;
        }
        return known;
    }

    /// The library accepts any schema; one with a mistake would reject valid calls.
    private void mustBeASchema(Schema schema) {
        List<Error> mistakes;
        try {
            mistakes = errors(SchemaValidator.metaSchemaOf(schema), source, CheckBudget.ofASchema());
        } catch (CheckAbandoned why) {
            throw why.forAllCalls();
        }
        if (!mistakes.isEmpty()) {
            throw new CheckAbandoned("its schema is invalid: " + ProblemText.problem(mistakes.getFirst()));
        }
    }

    private static List<Error> errors(Schema schema, JsonView value, CheckBudget budget) {
        var walk = new BoundedSchemaWalk(budget);
        return within(budget, () -> schema.validate(walk, value.json(), InputFormat.JSON, OutputFormat.DEFAULT));
    }

    private static <T> T within(CheckBudget budget, Supplier<T> work) {
        return ScopedValue.where(CheckBudget.CURRENT, budget).call(work::get);
    }
}
