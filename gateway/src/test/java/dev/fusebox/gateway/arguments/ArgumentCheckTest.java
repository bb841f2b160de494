package dev.fusebox.gateway.arguments;

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
    void good_arguments_have_no_problem() {
        String schema =
                "{'type':'object','properties':{'q':{'type':'string'},'n':{'type':'integer'}},'required':['q']}";
        assertThat(problems(schema, "{'q':'x','n':3,'more':[]}")).isEmpty();
        assertThat(problems(schema, "{'q':'x','n':3.0}")).isEmpty();
        assertThat(problems(schema, "{'q':'x','n':1e2}")).isEmpty();
    }

    @Test
    void a_wrong_type_is_told_with_its_place() {
        String schema = "{'type':'object','properties':{'n':{'type':'integer'}}}";
        assertThat(problems(schema, "{'n':'3'}")).containsExactly("/n: string found, integer expected");
        assertThat(problems(schema, "{'n':3.5}")).containsExactly("/n: number found, integer expected");
        assertThat(problems(schema, "[]")).containsExactly("array found, object expected");
    }

    @Test
    void of_two_arguments_with_one_name_neither_is_taken() {
        String schema = "{'type':'object','properties':{'n':{'type':'integer'}}}";
        assertThat(problems(schema, "{'n':3,'\\u006e':4}")).containsExactly("/n: appears twice");
        assertThat(problems(schema, "{'n':3,'N':4}")).isEmpty();
    }

    @Test
    void what_is_required_is_missed() {
        String schema = "{'type':'object','required':['q']}";
        assertThat(problems(schema, "{}")).containsExactly("required property 'q' not found");
    }

    @Test
    void arguments_that_are_missing_are_an_empty_object() {
        assertThat(problems("{'type':'object','required':['q']}", null))
                .containsExactly("required property 'q' not found");
        assertThat(problems("{'type':'object'}", null)).isEmpty();
    }

    @Test
    void only_what_an_enum_lists_is_good() {
        String schema = "{'properties':{'unit':{'enum':['metric','imperial']}}}";
        assertThat(problems(schema, "{'unit':'metric'}")).isEmpty();
        assertThat(problems(schema, "{'unit':'stone'}"))
                .singleElement()
                .asString()
                .startsWith("/unit: ")
                .contains("metric", "imperial");
    }

    @Test
    void problems_deep_inside_are_told_with_the_whole_way() {
        String schema = "{'properties':{'a':{'type':'array','items':{'properties':{'b~/c':{'type':'boolean'}}}}}}";
        assertThat(problems(schema, "{'a':[{},{'b~/c':1}]}"))
                .containsExactly("/a/1/b~0~1c: integer found, boolean expected");
    }

    @Test
    void properties_that_nobody_asked_for_are_told_if_the_schema_forbids_them() {
        String schema = "{'properties':{'q':{}},'additionalProperties':false}";
        assertThat(problems(schema, "{'q':1,'quer':2}"))
                .singleElement()
                .asString()
                .contains("'quer'");
    }

    @Test
    void the_draft_is_the_one_that_the_schema_names() {
        String tuple = "'properties':{'p':{'items':[{'type':'string'}],'prefixItems':[{'type':'number'}]}}}";
        assertThat(problems("{" + DRAFT_7 + tuple, "{'p':['x']}")).isEmpty();
        assertThat(problems("{" + DRAFT_7 + tuple, "{'p':[1]}")).hasSize(1);
        String prefix = "'properties':{'p':{'prefixItems':[{'type':'number'}]}}}";
        assertThat(problems("{" + prefix, "{'p':['x']}")).hasSize(1);
        assertThat(problems("{'$schema':'https://json-schema.org/draft/2020-12/schema'," + prefix, "{'p':['x']}"))
                .hasSize(1);
    }

    @Test
    void keywords_beside_a_reference_count_in_the_newer_draft_only() {
        String schema = "'$defs':{'s':{'type':'string'}},'properties':{'p':{'$ref':'#/$defs/s','maxLength':2}}}";
        assertThat(problems("{" + schema, "{'p':'long'}")).hasSize(1);
        assertThat(problems("{" + DRAFT_7 + schema, "{'p':'long'}")).isEmpty();
        assertThat(problems("{" + DRAFT_7 + schema, "{'p':1}")).hasSize(1);
    }

    @Test
    void a_format_asserts_nothing() {
        String schema = "'properties':{'p':{'format':'date-time'},'m':{'format':'email'}}}";
        assertThat(problems("{" + schema, "{'p':'tomorrow','m':'?'}")).isEmpty();
        assertThat(problems("{" + DRAFT_7 + schema, "{'p':'tomorrow','m':'?'}")).isEmpty();
    }

    @Test
    void a_recursive_schema_is_followed_as_deep_as_the_arguments_go() {
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
            // So that a visitor would have been seen.
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
    void files_are_not_read_either() {
        assertThat(problems("{'$ref':'file:///etc/hostname'}", "{}")).isEmpty();
        assertThat(problems("{'$ref':'classpath:module-info.class'}", "{}")).isEmpty();
    }

    @Test
    void a_schema_may_refer_to_the_meta_schema() {
        String schema = "{'properties':{'s':{'$ref':'https://json-schema.org/draft/2020-12/schema'}}}";
        assertThat(problems(schema, "{'s':{'type':'string'}}")).isEmpty();
        assertThat(problems(schema, "{'s':{'type':'strin'}}")).isNotEmpty();
    }

    @Test
    void a_pattern_is_looked_for_anywhere() {
        String schema =
                "{'properties':{'p':{'type':'string','pattern':'b+'}},'patternProperties':{'^x-':{'type':'null'}}}";
        assertThat(problems(schema, "{'p':'abc','x-y':null,'y-x-':1}")).isEmpty();
        assertThat(problems(schema, "{'p':'ac'}")).hasSize(1);
        assertThat(problems(schema, "{'x-y':1}")).hasSize(1);
    }

    @Test
    void a_hostile_pattern_hangs_nothing() {
        String schema = "{'properties':{'p':{'pattern':'^(a+)+$'}}}";
        assertThat(problems(schema, "{'p':'" + "a".repeat(5_000) + "!'}")).hasSize(1);
        assertThat(problems(schema, "{'p':'" + "a".repeat(5_000) + "'}")).isEmpty();
    }

    @Test
    void a_pattern_that_cannot_be_judged_lets_the_call_through() {
        String schema = "{'properties':{'p':{'pattern':'^(?=a)'},'q':{'type':'string'}}}";
        assertThat(problems(schema, "{'p':'b','q':1}")).isEmpty();
        assertThat(problems(schema, "{'q':1}")).hasSize(1);
    }

    @Test
    void a_schema_that_leads_in_circles_ends() {
        assertThat(problems("{'$ref':'#'}", "{}")).isEmpty();
        assertThat(problems("{'anyOf':[{'$ref':'#'},{'$ref':'#'}]}", "{}")).isEmpty();
        assertThat(problems("{'$defs':{'a':{'$ref':'#/$defs/b'},'b':{'$ref':'#/$defs/a'}},'$ref':'#/$defs/a'}", "{}"))
                .isEmpty();
    }

    @Test
    void a_schema_of_doublings_ends() {
        String doublings = IntStream.range(0, 60)
                .mapToObj(i ->
                        "'d%d':{'allOf':[{'$ref':'#/$defs/d%d'},{'$ref':'#/$defs/d%d'}]}".formatted(i, i + 1, i + 1))
                .collect(Collectors.joining(","));
        String schema = "{'$ref':'#/$defs/d0','$defs':{" + doublings + ",'d60':{'type':'string'}}}";
        assertThat(problems(schema, "{}")).isEmpty();
    }

    @Test
    void a_number_of_any_size_ends() {
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
    void a_limit_of_any_size_ends() {
        assertThat(problems("{'properties':{'n':{'maximum':1e99999999999}}}", "{'n':1}"))
                .isEmpty();
    }

    @Test
    void arguments_that_cannot_be_read_leave_the_check_of_later_ones_on() {
        String schema = "{'properties':{'n':{'maximum':5}}}";
        String longName = "n".repeat(60_000);
        for (String unread : List.of("{'n':1e99999999999}", "{'n':1e-99999999999}", "{'n':6,'" + longName + "':1}")) {
            problems(schema, unread);
            assertThat(problems(schema, "{'n':6}")).as(unread).hasSize(1);
        }
    }

    @Test
    void arguments_that_lead_too_deep_leave_the_check_of_later_ones_on() {
        // Each level of the arguments takes ten steps of the schema or more.
        String child = "{'allOf':[".repeat(4) + "{'$ref':'#'}" + "]}".repeat(4);
        String schema = "{'properties':{'name':{'type':'string'},'child':" + child + "}}";
        String deep = "{'child':".repeat(120) + "{'name':1}" + "}".repeat(120);
        assertThat(problems(schema, deep)).isEmpty();
        assertThat(problems(schema, "{'child':{'name':1}}")).hasSize(1);
    }

    @Test
    void a_huge_schema_checks_nothing() {
        String schema = "{'type':'string','description':'" + "x".repeat(300_000) + "'}";
        assertThat(problems(schema, "{}")).isEmpty();
    }

    @Test
    void a_large_schema_that_is_honest_is_checked() {
        String properties = IntStream.range(0, 8_000)
                .mapToObj(i -> "'p" + i + "':{'type':'string'}")
                .collect(Collectors.joining(","));
        assertThat(problems("{'properties':{" + properties + "}}", "{'p7777':1}"))
                .hasSize(1);
    }

    @Test
    void what_is_no_schema_checks_nothing() {
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
    void huge_arguments_are_left_to_the_server() {
        assertThat(problems("{'type':'array'}", "{'a':'" + "x".repeat(1_100_000) + "'}"))
                .isEmpty();
    }

    @Test
    void at_most_ten_problems_are_told() {
        String schema = "{'additionalProperties':{'type':'string'}}";
        String arguments =
                IntStream.range(0, 50).mapToObj(i -> "'p" + i + "':1").collect(Collectors.joining(","));
        assertThat(problems(schema, "{" + arguments + "}")).hasSize(10);
    }

    @Test
    void nothing_long_out_of_the_arguments_is_told() {
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
    void a_schema_that_changed_is_the_one_that_counts() {
        assertThat(check.check("tool", view("{'required':['a']}"), null)).hasSize(1);
        assertThat(check.check("tool", view("{'required':['a','b']}"), null)).hasSize(2);
        assertThat(check.check("tool", view("{}"), null)).isNull();
    }

    @Test
    void more_tools_than_are_kept_are_checked_all_the_same() {
        String padding = "x".repeat(50_000);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 100; i++) {
                JsonView schema = view("{'required':['a" + i + "'],'description':'" + padding + "'}");
                assertThat(check.check(i, schema, null)).hasSize(1);
            }
        }
    }
}
