package dev.fusebox.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.Schema;
import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which schemas are simple; no arguments are accepted that the library rejects.
class SimpleSchemaTest {
    private static final int SCHEMAS = 1_500;
    private static final int VALUES = 12;

    private static final List<String> LEAVES = List.of(
            "{'type':'string'}",
            "{'type':'string','minLength':2,'maxLength':3}",
            "{'type':'string','format':'date'}",
            "{'type':'integer','minimum':1,'maximum':3}",
            "{'type':'number','exclusiveMinimum':0,'exclusiveMaximum':2.5}",
            "{'type':'number','minimum':1e0}",
            "{'type':['string','null'],'enum':['a','b']}",
            "{'enum':['a','']}",
            "{'const':'a'}",
            "{'type':'boolean','default':true,'description':'d'}",
            "{'type':'null'}",
            "{'type':['number','integer'],'format':'int32'}",
            "{'type':'string','format':'email','minLength':1}",
            "{'minItems':1,'maxItems':2}",
            "{}");

    /// The beginnings of schemas.
    private static final List<String> DRAFTS = List.of(
            "",
            "'$schema':'http://json-schema.org/draft-07/schema#'",
            "'$schema':'https://json-schema.org/draft/2020-12/schema'");

    private static final List<String> VALUES_OF_LEAVES = List.of(
            "'a'",
            "'ab'",
            "'abcd'",
            "'\\ud83d\\ude00\\ud83d\\ude00'",
            "''",
            "0",
            "1",
            "-1",
            "2.5",
            "3.0",
            "1e2",
            "1e400",
            "1e-99999999999",
            "true",
            "false",
            "null",
            "[]",
            "[1]",
            "['a','b','c']",
            "{}",
            "{'a':1}");

    private static JsonView view(String json) {
        return JsonView.of(json.replace('\'', '"'));
    }

    private static boolean isPlain(String schema) {
        return SimpleSchema.of(view(schema), CheckBudget.ofASchema()) != null;
    }

    private static boolean isAccepted(String schema, String value) {
        SimpleSchema plain = SimpleSchema.of(view(schema), CheckBudget.ofASchema());
        return plain != null && plain.accepts(view(value), CheckBudget.ofACall());
    }

    private static List<Error> judged(Schema schema, JsonView value) {
        CheckBudget budget = CheckBudget.ofACall();
        return ScopedValue.where(CheckBudget.CURRENT, budget)
                .call(() -> schema.validate(
                        new BoundedSchemaWalk(budget), value.json(), InputFormat.JSON, OutputFormat.DEFAULT));
    }

    private static Schema compiled(JsonView schema) {
        return ScopedValue.where(CheckBudget.CURRENT, CheckBudget.ofASchema())
                .call(() -> SchemaValidator.compile(schema.json()));
    }

    private static String oneOf(List<String> all, Random random) {
        return all.get(random.nextInt(all.size()));
    }

    private static String schema(Random random, int depth) {
        if (depth == 0) {
            return oneOf(LEAVES, random);
        }
        return switch (random.nextInt(5)) {
            case 0 -> "{'type':'array','items':" + schema(random, depth - 1) + "}";
            case 1 -> "{'anyOf':[" + schema(random, depth - 1) + "," + schema(random, depth - 1) + "]}";
            case 2 -> "{'type':'object','additionalProperties':" + schema(random, depth - 1) + "}";
            default ->
                "{'type':'object','properties':{'a':" + schema(random, depth - 1) + ",'b':" + schema(random, depth - 1)
                        + "},'required':" + oneOf(List.of("[]", "['a']", "['a','b']"), random)
                        + oneOf(List.of("", ",'additionalProperties':false", ",'additionalProperties':true"), random)
                        + "}";
        };
    }

    private static String withDraft(String draft, String schema) {
        boolean isOneEmpty = draft.isEmpty() || schema.equals("{}");
        return "{" + draft + (isOneEmpty ? "" : ",") + schema.substring(1);
    }

    private static String value(Random random, int depth) {
        if (depth == 0) {
            return oneOf(VALUES_OF_LEAVES, random);
        }
        return switch (random.nextInt(4)) {
            case 0 ->
                IntStream.range(0, random.nextInt(3))
                        .mapToObj(ignored -> value(random, depth - 1))
                        .collect(Collectors.joining(",", "[", "]"));
            case 1 -> value(random, depth - 1);
            default ->
                List.of("a", "b", "c").subList(0, random.nextInt(4)).stream()
                        .map(name -> "'" + name + "':" + value(random, depth - 1))
                        .collect(Collectors.joining(",", "{", "}"));
        };
    }

    /// With the same seeds each time.
    @Test
    void simple_schema_accepts_nothing_that_the_library_rejects() {
        int accepted = 0;
        int refused = 0;
        for (int seed = 0; seed < SCHEMAS; seed++) {
            var random = new Random(seed);
            String text = withDraft(oneOf(DRAFTS, random), schema(random, random.nextInt(4)));
            SimpleSchema plain = Objects.requireNonNull(SimpleSchema.of(view(text), CheckBudget.ofASchema()), text);
            Schema whole = compiled(view(text));
            for (int i = 0; i < VALUES; i++) {
                String value = value(random, random.nextInt(4));
                boolean isRight = judged(whole, view(value)).isEmpty();
                if (plain.accepts(view(value), CheckBudget.ofACall())) {
                    assertThat(isRight)
                            .as("seed %d: %s of %s", seed, value, text)
                            .isTrue();
                    accepted++;
                } else if (isRight) {
                    refused++;
                }
            }
        }
        assertThat(accepted)
                .as("accepted, of those that the library does not refuse")
                .isGreaterThan(9 * refused);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'object','$ref':'#'}",
                "{'type':'strin'}",
                "{'type':['string','string']}",
                "{'type':[]}",
                "{'type':'object','type':'string'}",
                "{'properties':[]}",
                "{'properties':{'a':true}}",
                "{'properties':{'a':{},'a':{}}}",
                "{'required':'a'}",
                "{'required':['a','a']}",
                "{'items':[{}]}",
                "{'anyOf':[]}",
                "{'anyOf':{}}",
                "{'enum':['a',1]}",
                "{'enum':['a'],'const':'b'}",
                "{'minLength':-1}",
                "{'maximum':1e400}",
                "{'maximum':1e99999999999}",
                "{'minimum':1e-2147483648}",
                "{'maximum':'3'}",
                "{'title':3}",
                "{'additionalProperties':null}",
                "{'pattern':'^a'}",
                "{'oneOf':[{}]}",
                "{'$schema':'http://json-schema.org/draft-04/schema#','maximum':3}",
                "{'properties':{'a':{'$schema':'https://json-schema.org/draft/2020-12/schema'}}}",
                "true",
                "[]",
            })
    void unsupported_or_invalid_schema_is_left_to_the_library(String schema) {
        assertThat(isPlain(schema)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'properties':{'a':{}}}|{'a':1,'a':2}",
                "{'type':'integer'}|3.0",
                "{'type':'integer'}|1e2",
                "{'maximum':3}|0.00000000000000000000000000000000000000001",
                "{'maximum':3}|1e-2147483648",
                "{'type':'number'}|1e400",
                "{'type':'number'}|-1E400",
                "{'type':'number'}|1e99999999999",
                "{'anyOf':[{'type':'number'},{'type':'null'}]}|1e400",
                "{'maximum':3}|-1e99999999999",
            })
    void uncertain_arguments_are_left_to_the_library(String schema, String value) {
        assertThat(isPlain(schema)).isTrue();
        assertThat(isAccepted(schema, value)).isFalse();
    }
}
