package dev.fusebox.gateway.tools;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The brief form of a schema is sufficient to call the tool.
class BriefSchemaTest {
    private static final Path DEFINITIONS = Path.of("src/test/resources/dev/fusebox/gateway/routing/definitions.tsv");

    private static String brief(String schema) {
        return BriefSchema.of(JsonView.of(schema));
    }

    private static List<String> names(JsonView schema, String member) {
        List<String> names = new ArrayList<>();
        JsonView value = schema.member(member);
        if (value != null) {
            value.forEachMember((name, each) -> names.add(name));
            value.elements().forEach(each -> names.add(each.json()));
        }
        return names;
    }

    @Test
    void brief_form_of_every_real_schema_has_all_properties_and_required_ones() throws Exception {
        List<String> lines = Files.readAllLines(DEFINITIONS);
        long whole = 0;
        long brief = 0;
        for (String line : lines) {
            JsonView schema =
                    Objects.requireNonNull(JsonView.of(line.split("\t", 3)[2]).member("inputSchema"));
            String text = BriefSchema.of(schema);
            JsonView read = JsonView.parse(text.getBytes(UTF_8));
            assertThat(names(read, "properties")).as(line).isEqualTo(names(schema, "properties"));
            assertThat(names(read, "required")).as(line).isEqualTo(names(schema, "required"));
            assertThat(read.string("type")).as(line).isEqualTo(schema.string("type"));
            assertThat(text.length()).as(line).isLessThanOrEqualTo(schema.json().length());
            whole += schema.json().length();
            brief += text.length();
        }
        assertThat(lines).hasSize(527);
        assertThat(brief).isLessThan(whole * 6 / 10);
    }

    @Test
    void schema_of_thousands_of_properties_is_not_shown() {
        StringBuilder properties = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            properties.append(i == 0 ? "" : ",").append("\"property").append(i).append("\":{\"type\":\"string\"}");
        }
        String text = brief("{\"type\":\"object\",\"properties\":{" + properties + "}}");
        assertThat(text).hasSizeLessThan(200).contains("20000 properties").contains("detail: full");
    }

    @Test
    void references_in_a_brief_form_resolve() throws IOException {
        for (String line : Files.readAllLines(DEFINITIONS)) {
            JsonView schema =
                    Objects.requireNonNull(JsonView.of(line.split("\t", 3)[2]).member("inputSchema"));
            String text = BriefSchema.of(schema);
            for (String part : text.split("\"\\$ref\":\"#/", -1)) {
                int end = part.indexOf('"');
                if (part.startsWith("$defs/") || part.startsWith("definitions/")) {
                    String[] path = part.substring(0, end).split("/", -1);
                    assertThat(JsonView.of(text).path(path)).as(line).isNotNull();
                }
            }
        }
    }

    @Test
    void annotations_are_omitted_and_constraints_stay() {
        assertThat(brief("{\"$schema\":\"x\",\"type\":\"object\",\"title\":\"Args\",\"additionalProperties\":false,"
                        + "\"properties\":{\"title\":{\"type\":\"string\",\"title\":\"Title\",\"minLength\":1,"
                        + "\"default\":null,\"description\":\"Its name. Shown to all.\"},"
                        + "\"n\":{\"default\":5}},\"required\":[\"title\"]}"))
                .isEqualTo("{\"type\":\"object\",\"properties\":{\"title\":{\"type\":\"string\",\"minLength\":1,"
                        + "\"description\":\"Its name.\"},\"n\":{\"default\":5}},"
                        + "\"required\":[\"title\"]}");
    }

    @Test
    void null_is_omitted_for_optional_properties_and_stays_for_required_ones() {
        String nullable = "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}";
        String either = "{\"type\":[\"integer\",\"null\"]}";
        String properties = "{\"type\":\"object\",\"properties\":{\"a\":" + nullable + ",\"b\":" + either + "}";
        assertThat(brief(properties + "}"))
                .isEqualTo("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},"
                        + "\"b\":{\"type\":\"integer\"}}}");
        assertThat(brief(properties + ",\"required\":[\"a\",\"b\"]}"))
                .isEqualTo(properties + ",\"required\":[\"a\",\"b\"]}");
    }

    @Test
    void long_schema_loses_descriptions_of_optional_properties_first() {
        String words = "\"description\":\"" + "a word ".repeat(4) + "\"";
        String values = "\"enum\":[\"" + "v".repeat(200) + "\"]";
        String schema = "{\"type\":\"object\",\"properties\":{\"must\":{\"type\":\"string\"," + words + "},\"may\":{"
                + "\"type\":\"string\"," + words + "}},\"required\":[\"must\"]}";
        assertThat(brief(schema))
                .contains("\"must\":{\"type\":\"string\",\"description\"")
                .contains("\"may\":{\"type\":\"string\"}");
        String huge = schema.replace(words, values);
        assertThat(brief(huge))
                .contains("\"must\":{\"type\":\"string\",\"enum\"")
                .contains("\"may\":{\"type\":\"string\"}");
    }

    @Test
    void huge_schema_gets_the_shortest_form() {
        StringBuilder schema = new StringBuilder("{\"type\":\"object\",\"properties\":{\"p\":{\"type\":\"string\"}");
        for (int i = 0; i < 200; i++) {
            schema.append(",\"p")
                    .append(i)
                    .append("\":{\"type\":\"string\",\"description\":\"")
                    .append("a word ".repeat(60))
                    .append("\"}");
        }
        String text = brief(schema.append("}}").toString());
        assertThat(names(JsonView.of(text), "properties")).hasSize(201);
        assertThat(text).doesNotContain("word");
    }

    @Test
    void invalid_schema_is_unchanged() {
        for (String odd : List.of("true", "{\"properties\":3,\"required\":4,\"anyOf\":5}", "[1]")) {
            assertThat(brief(odd)).isEqualTo(odd);
        }
    }
}
