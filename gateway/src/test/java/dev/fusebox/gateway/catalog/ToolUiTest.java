package dev.fusebox.gateway.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the metadata of a tool says about apps.
class ToolUiTest {
    private static ToolUi of(String meta) {
        return ToolUi.of(JsonView.of("{\"name\":\"x\",\"_meta\":" + meta + "}"));
    }

    @Test
    void both_forms_of_the_address_are_read_and_the_nested_one_wins() {
        assertThat(of("{\"ui\":{\"resourceUri\":\"ui://a\"}}").resource()).isEqualTo("ui://a");
        assertThat(of("{\"ui/resourceUri\":\"ui://b\"}").resource()).isEqualTo("ui://b");
        assertThat(of("{\"ui/resourceUri\":\"ui://b\",\"ui\":{\"resourceUri\":\"ui://a\"}}")
                        .resource())
                .isEqualTo("ui://a");
    }

    @Test
    void visibility_says_who_calls_the_tool() {
        assertThat(of("{\"ui\":{\"visibility\":[\"app\"]}}")).isEqualTo(new ToolUi(null, false, true));
        assertThat(of("{\"ui\":{\"visibility\":[\"model\"]}}")).isEqualTo(new ToolUi(null, true, false));
        assertThat(of("{\"ui\":{\"visibility\":[\"app\",\"model\",7]}}")).isEqualTo(ToolUi.NONE);
        assertThat(of("{\"ui\":{\"resourceUri\":\"ui://a\",\"visibility\":[]}}").isRendered())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "{\"ui\":7}",
                "{\"ui\":{\"resourceUri\":\"http://a\"}}",
                "{\"ui\":{\"resourceUri\":7,\"visibility\":\"app\"}}"
            })
    void everything_else_says_nothing(String meta) {
        assertThat(of(meta)).isEqualTo(ToolUi.NONE);
    }
}
