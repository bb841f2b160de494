package dev.fusebox.gateway.arguments;

import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.regex.RegularExpression;
import java.util.Locale;

/// The validator of schemas, set up so that it fetches nothing, asserts no formats, and runs patterns on our
/// machine. Loaded at the first check. Thread-safe.
final class SchemaValidator {
    /// What a character of a pattern costs when the pattern is made ready: sets of characters take some
    /// microseconds.
    private static final int STEPS_A_CHARACTER = 100;

    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaRegistryConfig(config())
                    .schemaLoader(loader -> loader.allow(id -> isAMetaSchema(id.toString()))));

    /// For each check. A `format` says something about a value and asserts nothing, so the specification has it.
    static final ExecutionConfig EXECUTION = ExecutionConfig.builder()
            .locale(Locale.ENGLISH)
            .formatAssertionsEnabled(false)
            .annotationCollectionEnabled(false)
            .failFast(false)
            .build();

    private SchemaValidator() {}

    /// Parts of it are made ready by the first check that comes by them, so that their cost is the check's.
    static Schema compile(String schema) {
        return REGISTRY.getSchema(schema, InputFormat.JSON);
    }

    /// What a schema of the same draft has to be.
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

    /// What cannot be read is found out where it is used: other calls of the same tool need not know.
    private static RegularExpression pattern(String text) {
        CheckBudget.CURRENT.get().spend(STEPS_A_CHARACTER * text.length());
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
