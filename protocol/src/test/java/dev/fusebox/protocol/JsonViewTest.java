package dev.fusebox.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class JsonViewTest {
    private static final JsonView VIEW = JsonView.of("""
             { "text" : "a\\n\\u00e4\\"" , "n":-1.50e3,"list":[ 1 , "x",{"y":[]} ,null],
               "o":{"deep":{"er":true}}, "\\u006dethod": "escaped", "empty":{}, "last" : false }\s""");

    @Test
    void member_is_found_at_any_position() {
        assertThat(VIEW.string("text")).isEqualTo("a\n\u00e4\"");
        assertThat(VIEW.member("n")).hasToString("-1.50e3");
        assertThat(VIEW.path("o", "deep", "er")).hasToString("true");
        assertThat(VIEW.member("empty")).hasToString("{}");
        assertThat(VIEW.member("last")).hasToString("false");
        assertThat(VIEW.member("nothing")).isNull();
        assertThat(VIEW.path("o", "nothing", "er")).isNull();
        assertThat(VIEW.path("text", "member of a string")).isNull();
    }

    @Test
    void names_are_compared_after_decoding_escapes() {
        assertThat(VIEW.string("method")).isEqualTo("escaped");
    }

    @Test
    void elements_and_members_are_returned_in_order() {
        JsonView list = Objects.requireNonNull(VIEW.member("list"));
        List<String> names = new ArrayList<>();
        VIEW.forEachMember((name, value) -> names.add(name));

        assertThat(list.elements().stream().map(JsonView::json)).containsExactly("1", "\"x\"", "{\"y\":[]}", "null");
        assertThat(names).containsExactly("text", "n", "list", "o", "method", "empty", "last");
        assertThat(VIEW.elements()).isEmpty();
    }

    @Test
    void members_are_removed_with_their_commas_at_any_position() {
        for (String removed : List.of("a", "b", "c", "ab", "ac", "bc", "abc", "x")) {
            JsonView frame = JsonView.of("{ \"o\" : { \"a\" : [1] , \"b\":{} ,\"c\":\"}\" } , \"n\":1}");
            JsonView object = Objects.requireNonNull(frame.member("o"));

            JsonView rest = JsonView.of(new String(
                    Splice.of(frame).remove(object, removed::contains).bytes(), StandardCharsets.UTF_8));

            List<String> names = new ArrayList<>();
            Objects.requireNonNull(rest.member("o")).forEachMember((name, value) -> names.add(name));
            assertThat(String.join("", names))
                    .as("without " + removed)
                    .isEqualTo("abc".replaceAll("[" + removed + "]", ""));
            assertThat(rest.member("n")).hasToString("1");
        }
    }

    @Test
    void written_json_is_read_back_unchanged() {
        String odd = "quote \" backslash \\ newline \n nul \u0000 emoji \ud83d\ude00 half \ud800 del \u007f";

        JsonView view = JsonView.of(new JsonWriter()
                .beginObject()
                .name("odd")
                .string(odd)
                .name("list")
                .beginArray()
                .number(1)
                .bool(true)
                .string(null)
                .raw(VIEW)
                .endArray()
                .endObject()
                .toString());

        assertThat(view.string("odd")).isEqualTo(odd);
        assertThat(Objects.requireNonNull(view.member("list")).elements())
                .hasSize(4)
                .last()
                .isEqualTo(VIEW);
    }

    @Test
    void splice_changes_only_the_given_values() {
        JsonView frame =
                JsonView.of(" {\"id\" : 7,\"x\":[1, 2],\"params\":{\"_meta\":{\"progressToken\":\"t\"},\"ä\":1}}");

        byte[] spliced = Splice.of(frame)
                .replace(frame.path("params", "_meta", "progressToken"), "42")
                .replace(frame.member("id"), "\"seven\"")
                .replace(frame.member("absent"), "0")
                .bytes();

        assertThat(new String(spliced, java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("{\"id\" : \"seven\",\"x\":[1, 2],\"params\":{\"_meta\":{\"progressToken\":42},\"ä\":1}}");
    }
}
