package dev.fusebox.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ArgumentCheckTest {
    private static final String DRAFT_7 = "\"$schema\":\"http://json-schema.org/draft-07/schema#\",";

    private final ArgumentCheck check = new ArgumentCheck();

    private List<String> problems(String schema, @Nullable String arguments) {
        List<ArgumentProblem> found = check.check(schema, view(schema), arguments == null ? null : view(arguments));
        return found == null
                ? List.of()
                : found.stream().map(ArgumentProblem::toString).toList();
    }

    private static JsonView view(String json) {
        return JsonView.of(json.replace('\'', '"'));
    }

    @Test
    void valid_arguments_have_no_problems() {
        String schema =
                "{'type':'object','properties':{'q':{'type':'string'},'n':{'type':'integer'}},'required':['q']}";
        assertThat(problems(schema, "{'q':'x','n':3,'more':[]}")).isEmpty();
        assertThat(problems(schema, "{'q':'x','n':3.0}")).isEmpty();
        assertThat(problems(schema, "{'q':'x','n':1e2}")).isEmpty();
    }

    @Test
    void wrong_type_is_reported_with_its_pointer() {
        String schema = "{'type':'object','properties':{'n':{'type':'integer'}}}";
        assertThat(problems(schema, "{'n':'3'}")).containsExactly("/n: string found, integer expected");
        assertThat(problems(schema, "{'n':3.5}")).containsExactly("/n: number found, integer expected");
        assertThat(problems(schema, "[]")).containsExactly("array found, object expected");
    }

    @Test
    void duplicate_argument_is_a_problem() {
        String schema = "{'type':'object','properties':{'n':{'type':'integer'}}}";
        assertThat(problems(schema, "{'n':3,'\\u006e':4}")).containsExactly("/n: appears twice");
        assertThat(problems(schema, "{'n':3,'N':4}")).isEmpty();
    }

    @Test
    void missing_required_property_is_a_problem() {
        String schema = "{'type':'object','required':['q']}";
        assertThat(problems(schema, "{}")).containsExactly("required property 'q' not found");
    }

    @Test
    void absent_arguments_equal_an_empty_object() {
        assertThat(problems("{'type':'object','required':['q']}", null))
                .containsExactly("required property 'q' not found");
        assertThat(problems("{'type':'object'}", null)).isEmpty();
    }

    @Test
    void value_outside_an_enum_is_a_problem() {
        String schema = "{'properties':{'unit':{'enum':['metric','imperial']}}}";
        assertThat(problems(schema, "{'unit':'metric'}")).isEmpty();
        assertThat(problems(schema, "{'unit':'stone'}"))
                .singleElement()
                .asString()
                .startsWith("/unit: ")
                .contains("metric", "imperial");
    }

    @Test
    void nested_problem_is_reported_with_its_full_pointer() {
        String schema = "{'properties':{'a':{'type':'array','items':{'properties':{'b~/c':{'type':'boolean'}}}}}}";
        assertThat(problems(schema, "{'a':[{},{'b~/c':1}]}"))
                .containsExactly("/a/1/b~0~1c: integer found, boolean expected");
    }

    @Test
    void additional_properties_are_problems_if_forbidden() {
        String schema = "{'properties':{'q':{}},'additionalProperties':false}";
        assertThat(problems(schema, "{'q':1,'quer':2}"))
                .singleElement()
                .asString()
                .contains("'quer'");
    }

    @Test
    void draft_is_selected_by_the_schema() {
        String tuple = "'properties':{'p':{'items':[{'type':'string'}],'prefixItems':[{'type':'number'}]}}}";
        assertThat(problems("{" + DRAFT_7 + tuple, "{'p':['x']}")).isEmpty();
        assertThat(problems("{" + DRAFT_7 + tuple, "{'p':[1]}")).hasSize(1);
        String prefix = "'properties':{'p':{'prefixItems':[{'type':'number'}]}}}";
        assertThat(problems("{" + prefix, "{'p':['x']}")).hasSize(1);
        assertThat(problems("{'$schema':'https://json-schema.org/draft/2020-12/schema'," + prefix, "{'p':['x']}"))
                .hasSize(1);
    }

    @Test
    void keywords_beside_a_reference_apply_only_in_the_newer_draft() {
        String schema = "'$defs':{'s':{'type':'string'}},'properties':{'p':{'$ref':'#/$defs/s','maxLength':2}}}";
        assertThat(problems("{" + schema, "{'p':'long'}")).hasSize(1);
        assertThat(problems("{" + DRAFT_7 + schema, "{'p':'long'}")).isEmpty();
        assertThat(problems("{" + DRAFT_7 + schema, "{'p':1}")).hasSize(1);
    }

    @Test
    void format_is_not_asserted() {
        String schema = "'properties':{'p':{'format':'date-time'},'m':{'format':'email'}}}";
        assertThat(problems("{" + schema, "{'p':'tomorrow','m':'?'}")).isEmpty();
        assertThat(problems("{" + DRAFT_7 + schema, "{'p':'tomorrow','m':'?'}")).isEmpty();
    }

    @Test
    void recursive_schema_is_evaluated_to_the_depth_of_the_arguments() {
        String schema = "{'properties':{'name':{'type':'string'},'child':{'$ref':'#'}},'required':['name']}";
        assertThat(problems(schema, "{'name':'a','child':{'name':'b','child':{'name':'c'}}}"))
                .isEmpty();
        assertThat(problems(schema, "{'name':'a','child':{'name':'b','child':{}}}"))
                .containsExactly("/child/child: required property 'name' not found");
        String deep = "{'name':'a','child':".repeat(120) + "{}" + "}".repeat(120);
        assertThat(problems(schema, deep)).hasSize(1);
    }

    @Test
    void nothing_is_fetched() throws Exception {
        var asked = new AtomicInteger();
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> countVisitors(server, asked));
            String base = "http://127.0.0.1:" + server.getLocalPort();
            assertThat(problems("{'properties':{'p':{'$ref':'" + base + "/s.json'}}}", "{'p':1}"))
                    .isEmpty();
            assertThat(problems("{'$schema':'" + base + "/draft','type':'string'}", "{'p':1}"))
                    .isEmpty();
            assertThat(problems("{'$id':'" + base + "/a/','$ref':'b.json'}", "{'p':1}"))
                    .isEmpty();
            assertThat(problems("{'$dynamicRef':'" + base + "/b.json#x'}", "{'p':1}"))
                    .isEmpty();
            assertThat(asked).hasValue(0);
            // Long enough for a request to arrive.
            try (var visitor = new Socket(server.getInetAddress(), server.getLocalPort())) {
                assertThat(visitor.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(asked).hasValue(1);
        }
    }

    private static void countVisitors(ServerSocket server, AtomicInteger visitors) {
        try {
            while (true) {
                try (var visitor = server.accept()) {
                    visitors.incrementAndGet();
                    visitor.shutdownOutput();
                }
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    @Test
    void file_references_are_not_read() {
        assertThat(problems("{'$ref':'file:///etc/hostname'}", "{}")).isEmpty();
        assertThat(problems("{'$ref':'classpath:module-info.class'}", "{}")).isEmpty();
    }

    @Test
    void reference_to_the_meta_schema_is_supported() {
        String schema = "{'properties':{'s':{'$ref':'https://json-schema.org/draft/2020-12/schema'}}}";
        assertThat(problems(schema, "{'s':{'type':'string'}}")).isEmpty();
        assertThat(problems(schema, "{'s':{'type':'strin'}}")).isNotEmpty();
    }

    @Test
    void pattern_matches_anywhere_in_the_text() {
        String schema =
                "{'properties':{'p':{'type':'string','pattern':'b+'}},'patternProperties':{'^x-':{'type':'null'}}}";
        assertThat(problems(schema, "{'p':'abc','x-y':null,'y-x-':1}")).isEmpty();
        assertThat(problems(schema, "{'p':'ac'}")).hasSize(1);
        assertThat(problems(schema, "{'x-y':1}")).hasSize(1);
    }

    @Test
    void hostile_pattern_does_not_hang() {
        String schema = "{'properties':{'p':{'pattern':'^(a+)+$'}}}";
        assertThat(problems(schema, "{'p':'" + "a".repeat(5_000) + "!'}")).hasSize(1);
        assertThat(problems(schema, "{'p':'" + "a".repeat(5_000) + "'}")).isEmpty();
    }

    @Test
    void unsupported_pattern_lets_the_call_through() {
        String schema = "{'properties':{'p':{'pattern':'^(?=a)'},'q':{'type':'string'}}}";
        assertThat(problems(schema, "{'p':'b','q':1}")).isEmpty();
        assertThat(problems(schema, "{'q':1}")).hasSize(1);
    }

    @Test
    void circular_schema_terminates() {
        assertThat(problems("{'$ref':'#'}", "{}")).isEmpty();
        assertThat(problems("{'anyOf':[{'$ref':'#'},{'$ref':'#'}]}", "{}")).isEmpty();
        assertThat(problems("{'$defs':{'a':{'$ref':'#/$defs/b'},'b':{'$ref':'#/$defs/a'}},'$ref':'#/$defs/a'}", "{}"))
                .isEmpty();
    }

    @Test
    void exponential_schema_terminates() {
        String doublings = IntStream.range(0, 60)
                .mapToObj(i ->
                        "'d%d':{'allOf':[{'$ref':'#/$defs/d%d'},{'$ref':'#/$defs/d%d'}]}".formatted(i, i + 1, i + 1))
                .collect(Collectors.joining(","));
        String schema = "{'$ref':'#/$defs/d0','$defs':{" + doublings + ",'d60':{'type':'string'}}}";
        assertThat(problems(schema, "{}")).isEmpty();
    }

    @Test
    void number_of_any_size_terminates() {
        String schema = "{'properties':{'n':{'multipleOf':0.01,'maximum':5}}}";
        assertThat(problems(schema, "{'n':1e999999999}")).hasSizeLessThan(3);
        assertThat(problems(schema, "{'n':1e-999999999}")).hasSizeLessThan(3);
        String plain = "{'properties':{'n':{'maximum':5}}}";
        assertThat(problems(plain, "{'n':1e99999999999}")).hasSizeLessThan(3);
        assertThat(problems("{'properties':{'n':{'maximum':1e99999999999}}}", "{'n':1}"))
                .hasSizeLessThan(3);
        assertThat(problems("{'properties':{'n':{'multipleOf':1e-999999}}}", "{'n':1e99999}"))
                .hasSizeLessThan(3);
        assertThat(problems("{'properties':{'n':{'type':'integer','enum':[1]}}}", "{'n':1e999999999}"))
                .hasSizeLessThan(3);
    }

    @Test
    void limit_of_any_size_terminates() {
        assertThat(problems("{'properties':{'n':{'maximum':1e99999999999}}}", "{'n':1}"))
                .isEmpty();
    }

    @Test
    void unreadable_arguments_do_not_disable_later_checks() {
        String schema = "{'properties':{'n':{'maximum':5}}}";
        String longName = "n".repeat(60_000);
        for (String unread : List.of("{'n':1e99999999999}", "{'n':1e-99999999999}", "{'n':6,'" + longName + "':1}")) {
            problems(schema, unread);
            assertThat(problems(schema, "{'n':6}")).as(unread).hasSize(1);
        }
    }

    @Test
    void too_deep_arguments_do_not_disable_later_checks() {
        // Each level of the arguments takes at least ten steps of the schema.
        String child = "{'allOf':[".repeat(4) + "{'$ref':'#'}" + "]}".repeat(4);
        String schema = "{'properties':{'name':{'type':'string'},'child':" + child + "}}";
        String deep = "{'child':".repeat(120) + "{'name':1}" + "}".repeat(120);
        assertThat(problems(schema, deep)).isEmpty();
        assertThat(problems(schema, "{'child':{'name':1}}")).hasSize(1);
    }

    @Test
    void huge_schema_is_not_checked() {
        String schema = "{'type':'string','description':'" + "x".repeat(300_000) + "'}";
        assertThat(problems(schema, "{}")).isEmpty();
    }

    @Test
    void large_legitimate_schema_is_checked() {
        String properties = IntStream.range(0, 8_000)
                .mapToObj(i -> "'p" + i + "':{'type':'string'}")
                .collect(Collectors.joining(","));
        assertThat(problems("{'properties':{" + properties + "}}", "{'p7777':1}"))
                .hasSize(1);
    }

    @Test
    void invalid_schema_is_not_checked() {
        for (String schema : List.of(
                "[]",
                "1",
                "{'type':5}",
                "{'type':'nonsense'}",
                "{'properties':[]}",
                "{'$ref':5}",
                "{'$ref':'#/nowhere'}",
                "{'$schema':'nonsense'}",
                "{'$schema':5}",
                "{'required':'a'}",
                "null")) {
            assertThat(problems(schema, "{}")).as(schema).isEmpty();
        }
        assertThat(check.check("tool", null, view("{}"))).isNull();
    }

    @Test
    void huge_arguments_are_not_checked() {
        assertThat(problems("{'type':'array'}", "{'a':'" + "x".repeat(1_100_000) + "'}"))
                .isEmpty();
    }

    @Test
    void at_most_ten_problems_are_reported() {
        String schema = "{'additionalProperties':{'type':'string'}}";
        String arguments =
                IntStream.range(0, 50).mapToObj(i -> "'p" + i + "':1").collect(Collectors.joining(","));
        assertThat(problems(schema, "{" + arguments + "}")).hasSize(10);
    }

    @Test
    void long_argument_values_are_not_quoted() {
        String secret = "s3cret".repeat(10);
        List<String> schemas = List.of(
                "{'additionalProperties':false}",
                "{'additionalProperties':{'type':'null'}}",
                "{'unevaluatedProperties':false}",
                "{'propertyNames':{'maxLength':3}}",
                "{'propertyNames':{'enum':['a']}}",
                "{'patternProperties':{'s':{'enum':['a']}}}",
                "{'patternProperties':{'s':{'const':'a'}}}",
                "{'patternProperties':{'s':{'pattern':'^a$'}}}",
                "{'patternProperties':{'s':false}}",
                "{'patternProperties':{'s':{'not':{'type':'string'}}}}",
                "{'patternProperties':{'s':{'oneOf':[{'type':'null'},{'const':'x'}]}}}",
                "{'patternProperties':{'s':{'maxLength':1,'contentMediaType':'application/json'}}}",
                "{'patternProperties':{'s':{'dependentRequired':{'a':['b']},'type':'object'}}}");
        for (String schema : schemas) {
            assertThat(problems(schema, "{'" + secret + "':'" + secret + "'}"))
                    .as(schema)
                    .isNotEmpty()
                    .allSatisfy(it -> assertThat(it).doesNotContain("s3cret".repeat(7)));
        }
    }

    @Test
    void changed_schema_replaces_the_cached_one() {
        assertThat(check.check("tool", view("{'required':['a']}"), null)).hasSize(1);
        assertThat(check.check("tool", view("{'required':['a','b']}"), null)).hasSize(2);
        assertThat(check.check("tool", view("{}"), null)).isNull();
    }

    @Test
    void tools_beyond_the_cache_limit_are_checked() {
        String padding = "x".repeat(50_000);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 100; i++) {
                JsonView schema = view("{'required':['a" + i + "'],'description':'" + padding + "'}");
                assertThat(check.check(i, schema, null)).hasSize(1);
            }
        }
    }
}
