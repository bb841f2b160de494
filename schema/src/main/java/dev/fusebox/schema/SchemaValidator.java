package dev.fusebox.schema;

import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.regex.RegularExpression;
import java.util.Locale;

/// The schema validator, configured to fetch nothing, to assert no formats, and to match patterns with
/// [PatternAutomaton]. Loaded at the first check. Thread-safe.
final class SchemaValidator {
    /// The cost of compiling one character of a pattern: character classes take some microseconds.
    private static final int STEPS_PER_CHARACTER = 100;

    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaRegistryConfig(config())
                    .schemaLoader(loader -> loader.allow(id -> isAMetaSchema(id.toString()))));

    /// For each check. `format` is an annotation and not an assertion, as the specification requires.
    static final ExecutionConfig EXECUTION = ExecutionConfig.builder()
            .locale(Locale.ENGLISH)
            .formatAssertionsEnabled(false)
            .annotationCollectionEnabled(false)
            .failFast(false)
            .build();

    private SchemaValidator() {}

    /// Subschemas are compiled by the first check that reaches them, so that the cost counts for that check.
    static Schema compile(String schema) {
        return REGISTRY.getSchema(schema, InputFormat.JSON);
    }

    /// The meta-schema of the schema's draft.
    static Schema metaSchemaOf(Schema schema) {
        String draft = schema.getSchemaContext().getDialect().getId();
        return REGISTRY.getSchema(SchemaLocation.of(draft));
    }

    private static SchemaRegistryConfig config() {
        return SchemaRegistryConfig.builder()
                .preloadSchema(false)
                .formatAssertionsEnabled(false)
                .losslessNarrowing(true)
                .locale(Locale.ENGLISH)
                .regularExpressionFactory(SchemaValidator::pattern)
                .build();
    }

    /// These are in the library's own jar.
    private static boolean isAMetaSchema(String id) {
        return id.startsWith("https://json-schema.org/") || id.startsWith("http://json-schema.org/");
    }

    /// An unsupported pattern fails only when it is used: other calls of the same tool may not reach it.
    private static RegularExpression pattern(String text) {
        CheckBudget.CURRENT.get().spend(STEPS_PER_CHARACTER * text.length());
        try {
            var machine = new PatternAutomaton(text);
            return value -> machine.findsIn(value, CheckBudget.CURRENT.get());
        } catch (CheckAbandoned why) {
            return value -> {
                throw why.forOneCall();
            };
        }
    }
}
