package dev.fusebox.gateway.extension;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.protocol.Message;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The addresses in the results of the second of two servers with the same app and the same skill.
class ResultAddressesTest {
    private static final ServerAddresses ADDRESSES = addresses();

    private static ServerAddresses addresses() {
        CatalogContents same =
                Listings.together(Listings.tools("ui://app"), Listings.skills("skill://refunds/SKILL.md"));
        Map<String, CatalogContents> contents = new LinkedHashMap<>();
        contents.put("a", same);
        contents.put("b", same);
        return ServerAddresses.of(contents, List.of("a", "b"), ServerAddresses.NONE);
    }

    private static Outcome answered(String frame) {
        return new Outcome.Answered(Message.Answer.of(frame.getBytes(StandardCharsets.UTF_8)));
    }

    private static String shown(String server, String method, String result) {
        return shown(new ResultAddresses(ADDRESSES, server, method, null), result);
    }

    private static String shown(ResultAddresses addresses, String result) {
        Outcome outcome = addresses.shown(answered("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}"));
        return outcome instanceof Outcome.Answered(Message.Answer answer)
                ? String.valueOf(answer.result())
                : String.valueOf(outcome);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tools/call     | {"content":[{"type":"resource_link","uri":"ui://app"}]}
            tools/call     | {"content":[{"type":"text","text":"x"},{"type":"resource","resource":{"uri":"ui://app"}}]}
            tools/call     | {"content":[],"_meta":{"ui":{"resourceUri":"ui://app"},"ui/resourceUri":"ui://app"}}
            prompts/get    | {"messages":[{"content":{"type":"resource","resource":{"uri":"ui://app"}}}]}
            resources/read | {"contents":[{"uri":"ui://app","text":"ui://app"}]}
            """)
    void addresses_of_apps_get_the_name_of_the_server(String method, String result) {
        assertThat(shown("b", method, result))
                .isEqualTo(result.replaceAll("((?:u|resourceU)ri\":\")ui://app", "$1ui://b/app"));
        assertThat(shown("a", method, result)).isEqualTo(result);
    }

    @Test
    void addresses_of_skills_get_the_name_of_the_server() {
        String skill = "{\"skill\":{\"uri\":\"skill://refunds/SKILL.md\",\"frontmatter\":{\"name\":\"refunds\"},"
                + "\"resources\":[{\"uri\":\"skill://refunds/SKILL.md\",\"size\":1},{\"uri\":\"skill://refunds/x\"}]}}";
        String directory = "{\"resources\":[{\"uri\":\"skill://refunds/x\",\"name\":\"x\"}],\"nextCursor\":\"c\"}";

        assertThat(shown("b", "skills/get", skill)).isEqualTo(skill.replace("skill://", "skill://b/"));
        assertThat(shown("b", "resources/directory/read", directory))
                .isEqualTo(directory.replace("skill://", "skill://b/"));
        assertThat(shown("a", "skills/get", skill)).isEqualTo(skill);
    }

    @Test
    void address_that_was_asked_for_stays_as_it_was_asked_for() {
        String skill = "{\"skill\":{\"uri\":\"skill://unlisted/SKILL.md\",\"resources\":["
                + "{\"uri\":\"skill://unlisted/SKILL.md\"},{\"uri\":\"skill://unlisted/x/y\"}]}}";
        String read = "{\"contents\":[{\"uri\":\"ui://unlisted\",\"text\":\"x\"}]}";

        assertThat(shown(new ResultAddresses(ADDRESSES, "b", "skills/get", "skill://unlisted/SKILL.md"), skill))
                .isEqualTo(skill);
        assertThat(shown(new ResultAddresses(ADDRESSES, "b", "resources/read", "ui://unlisted"), read))
                .isEqualTo(read);
        assertThat(shown("b", "skills/get", skill)).isEqualTo(skill.replace("skill://", "skill://b/"));
    }

    @Test
    void address_of_another_server_does_not_stay_under_one_that_was_asked_for() {
        String directory = "{\"resources\":[{\"uri\":\"skill://refunds/x\"},{\"uri\":\"skill://a/x\"}]}";

        assertThat(shown(new ResultAddresses(ADDRESSES, "b", "resources/directory/read", "skill://refunds"), directory))
                .isEqualTo("{\"resources\":[{\"uri\":\"skill://b/refunds/x\"},{\"uri\":\"skill://b/a/x\"}]}");
        assertThat(shown(new ResultAddresses(ADDRESSES, "b", "resources/directory/read", "skill://a"), directory))
                .isEqualTo("{\"resources\":[{\"uri\":\"skill://b/refunds/x\"},{\"uri\":\"skill://b/a/x\"}]}");
    }

    @Test
    void repeated_members_are_all_changed() {
        assertThat(shown(
                        "b",
                        "tools/call",
                        "{\"_meta\":{\"ui\":{\"resourceUri\":\"ui://app\"}},\"_meta\":{\"ui\":{\"resourceUri\":"
                                + "\"ui:\\/\\/app\",\"resourceUri\":\"\\u0075i://app\"}}}"))
                .isEqualTo("{\"_meta\":{\"ui\":{\"resourceUri\":\"ui://b/app\"}},\"_meta\":{\"ui\":{\"resourceUri\":"
                        + "\"ui://b/app\",\"resourceUri\":\"ui://b/app\"}}}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tools/call | {"structuredContent":{"uri":"ui://app"},"content":[{"type":"text","text":"ui://app"}]}
            tools/call | {"content":"text","_meta":[]}
            tools/call | {"content":[{"type":"resource","resource":{"uri":7}}],"_meta":{"ui":{"resourceUri":null}}}
            tools/list | {"tools":[{"uri":"ui://app"}]}
            tools/call | "text"
            """)
    void everything_else_is_unchanged(String method, String result) {
        assertThat(shown("b", method, result)).isEqualTo(result);
    }

    @Test
    void failures_and_errors_are_unchanged() {
        Outcome failed = new Outcome.Failed(CallFailure.cancelled());
        Outcome error = answered("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"ui://app\"}}");

        ResultAddresses addresses = new ResultAddresses(ADDRESSES, "b", "tools/call", null);
        assertThat(addresses.shown(failed)).isSameAs(failed);
        assertThat(addresses.shown(error)).isSameAs(error);
    }
}
