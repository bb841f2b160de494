package dev.fusebox.gateway.arguments;

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
/// [PlainSchema] cannot decide. Thread-safe; nothing blocks.
final class ToolSchema {
    private static final int MOST_PROBLEMS = 10;
    private static final int LONGEST_REASON = 200;

    private final JsonView source;
    private final @Nullable PlainSchema plain;
    private volatile @Nullable Schema ready;

    ToolSchema(JsonView source) {
        this.source = source;
        this.plain = PlainSchema.of(source, Budget.ofASchema());
    }

    /// What is wrong with the arguments, at most ten things.
    List<Problem> problems(JsonView arguments) {
        return found(arguments).stream()
                .map(Wording::problem)
                .distinct()
                .limit(MOST_PROBLEMS)
                .toList();
    }

    /// The JSON pointers of all values with which something is wrong.
    Set<String> wrongPlaces(JsonView arguments) {
        return found(arguments).stream()
                .map(error -> String.valueOf(error.getInstanceLocation()))
                .collect(Collectors.toSet());
    }

    private List<Error> found(JsonView arguments) {
        try {
            boolean isPlainlyRight = plain != null && plain.accepts(arguments, Budget.ofACall());
            return isPlainlyRight ? List.of() : judged(ready(), arguments);
        } catch (Unjudged why) {
            throw why;
        } catch (RuntimeException | StackOverflowError refused) {
            // Whatever the library thinks of this schema, it is not the caller's fault.
            String reason = String.valueOf(refused.getMessage());
            throw new Unjudged("its schema is not understood: " + Wording.cut(reason, LONGEST_REASON));
        } catch (OutOfMemoryError full) {
            throw full;
        } catch (java.lang.Error broken) {
            // The library reads files when it is loaded, and there may have been no descriptor left.
            throw new Unjudged("the validator cannot be used: " + Wording.cut(broken.toString(), LONGEST_REASON))
                    .forOneCall();
        }
    }

    /// Arguments that the library cannot read say nothing about later ones: a name of 50,000 letters for one, or more
    /// levels than the stack holds.
    private static List<Error> judged(Schema schema, JsonView arguments) {
        try {
            return errors(schema, arguments, Budget.ofACall());
        } catch (Unjudged why) {
            throw why;
        } catch (RuntimeException | StackOverflowError refused) {
            String reason = String.valueOf(refused.getMessage());
            throw new Unjudged("the validator fails: " + Wording.cut(reason, LONGEST_REASON)).forOneCall();
        }
    }

    private Schema ready() {
        Schema known = ready;
        if (known == null) {
            known = within(Budget.ofASchema(), () -> SchemaLibrary.compile(source.json()));
            mustBeASchema(known);
            ready = known;
        }
        return known;
    }

    /// The library makes something of whatever it finds; a schema with a mistake in it would refuse good calls.
    private void mustBeASchema(Schema schema) {
        List<Error> mistakes;
        try {
            mistakes = errors(SchemaLibrary.metaSchemaOf(schema), source, Budget.ofASchema());
        } catch (Unjudged why) {
            throw why.forAllCalls();
        }
        if (!mistakes.isEmpty()) {
            throw new Unjudged("its schema has a mistake: " + Wording.problem(mistakes.getFirst()));
        }
    }

    private static List<Error> errors(Schema schema, JsonView value, Budget budget) {
        var walk = new BoundedWalk(budget);
        return within(budget, () -> schema.validate(walk, value.json(), InputFormat.JSON, OutputFormat.DEFAULT));
    }

    private static <T> T within(Budget budget, Supplier<T> work) {
        return ScopedValue.where(Budget.CURRENT, budget).call(work::get);
    }
}
