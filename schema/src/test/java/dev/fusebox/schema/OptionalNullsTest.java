package dev.fusebox.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class OptionalNullsTest {
    private static final String SIMPLE =
            "{'type':'object','properties':{'q':{'type':'string'},'n':{'type':'integer'},'a/b~c':{'type':'string'},"
                    + "'free':{'type':['string','null']}},'required':['q'],'additionalProperties':false}";

    private final ArgumentCheck check = new ArgumentCheck();

    /// The arguments to send; `refused` if the call is rejected.
    private String sent(String schema, String arguments) {
        JsonView of = view(schema);
        JsonView given = view(arguments);
        if (check.check(schema, of, given) == null) {
            return arguments;
        }
        JsonView less = check.withoutNulls(schema, of, given);
        return less == null ? "refused" : less.json().replace('"', '\'');
    }

    private static JsonView view(String json) {
        return JsonView.of(json.replace('\'', '"'));
    }

    @Test
    void invalid_optional_nulls_are_omitted_and_the_rest_stays_byte_for_byte() {
        assertThat(sent(SIMPLE, "{ 'q' : 'x' , 'n' : null }")).isEqualTo("{ 'q' : 'x' }");
        assertThat(sent(SIMPLE, "{'n':null,'q' :'x'}")).isEqualTo("{'q' :'x'}");
        assertThat(sent(SIMPLE, "{'n':null,'a/b~c':null,'q':'x'}")).isEqualTo("{'q':'x'}");
    }

    @Test
    void null_that_the_schema_allows_stays() {
        assertThat(sent(SIMPLE, "{'q':'x','free':null}")).isEqualTo("{'q':'x','free':null}");
        assertThat(sent(SIMPLE, "{'free':null,'n':null,'q':'x'}")).isEqualTo("{'free':null,'q':'x'}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'q':null}",
                "{'n':null}",
                "{'q':'x','other':null}",
                "{'q':'x','n':null,'a/b~c':7}",
                "{'q':'x','n':'null'}",
                "{'q':'x','n':null,'n':1}",
                "null",
                "[null]",
            })
    void arguments_that_are_invalid_without_the_nulls_are_rejected(String arguments) {
        assertThat(sent(SIMPLE, arguments)).isEqualTo("refused");
    }

    @Test
    void required_and_undeclared_properties_are_never_omitted() {
        String pattern = "{'type':'object','patternProperties':{'^x':{'type':'string'}}}";
        assertThat(sent(pattern, "{'x1':null}")).isEqualTo("refused");
        assertThat(sent("{'properties':{'a':false}}", "{'a':null}")).isEqualTo("refused");
        String both = "{'properties':{'a':{'type':'string'},'b':{'type':'string'}},'required':['b'],'minProperties':2}";
        assertThat(sent(both, "{'a':null,'b':'x'}")).isEqualTo("refused");
        assertThat(sent("{'properties':{'a':{'not':{'type':'null'}}}}", "{'a':null}"))
                .isEqualTo("{}");
        assertThat(sent("{'properties':{'a':{'enum':['x','y']}}}", "{'a':null}"))
                .isEqualTo("{}");
    }

    @Test
    void nested_objects_lists_and_references_within_the_schema_are_followed() {
        String nested =
                "{'properties':{'f':{'anyOf':[{'$ref':'#/$defs/F'},{'type':'null'}]},'l':{'type':'array','items':"
                        + "{'$ref':'#/$defs/F'}}},'$defs':{'F':{'type':'object','properties':{'x':{'type':'integer'},"
                        + "'f':{'$ref':'#/$defs/F'}}}}}";
        assertThat(sent(nested, "{'f':{'x':null,'f':{'x':null}},'l':[{'x':1},{'x':null,'f':{}}]}"))
                .isEqualTo("{'f':{'f':{}},'l':[{'x':1},{'f':{}}]}");
        assertThat(sent(nested, "{'f':null}")).isEqualTo("{'f':null}");
        assertThat(sent(nested, "{'l':[null]}")).isEqualTo("refused");
    }

    @Test
    void duplicate_nested_members_are_never_omitted() {
        String nested = "{'properties':{'o':{'properties':{'x':{'type':'string'}}}}}";
        assertThat(sent(nested, "{'o':{'x':'v','x':null}}")).isEqualTo("refused");
    }

    @Test
    void circular_references_and_many_nulls_terminate() {
        String circle = "{'properties':{'a':{'$ref':'#/$defs/A'},'b':{'type':'string'}},"
                + "'$defs':{'A':{'$ref':'#/$defs/A'}}}";
        assertThat(sent(circle, "{'b':null,'a':{'c':null}}")).isNotNull();
        String names = IntStream.range(0, 2_000)
                .mapToObj(i -> "'p" + i + "':{'type':'string'}")
                .collect(Collectors.joining(","));
        String nulls =
                IntStream.range(0, 2_000).mapToObj(i -> "'p" + i + "':null").collect(Collectors.joining(","));
        assertThat(sent("{'properties':{" + names + "}}", "{" + nulls + "}")).isEqualTo("refused");
        assertThat(sent("{'properties':{" + names + "}}", "{" + nulls.substring(0, nulls.indexOf(",'p99'")) + "}"))
                .isEqualTo("{}");
    }
}
