package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptedFaultTest {
    @ParameterizedTest
    @CsvSource({
        "hang, HANG, '', 1, 2147483647",
        "hang@3, HANG, '', 3, 3",
        "hang@3-, HANG, '', 3, 2147483647",
        "slow=20@3-5, SLOW, 20, 3, 5",
        "crash-before=KILL, CRASH_BEFORE, KILL, 1, 2147483647"
    })
    void a_text_says_what_and_at_which_calls(String text, FaultKind kind, String value, int first, int last) {
        ScriptedFault fault = ScriptedFault.parse(text);
        assertThat(fault).isEqualTo(new ScriptedFault(kind, value, first, last));
        assertThat(fault.text()).isEqualTo(text);
        assertThat(fault.isAt(first)).isTrue();
        assertThat(fault.isAt(last)).isTrue();
        assertThat(fault.isAt(first - 1)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void every_kind_has_a_text(FaultKind kind) {
        assertThat(ScriptedFault.parse(ScriptedFault.of(kind).text())).isEqualTo(ScriptedFault.of(kind));
        assertThat(ScriptedFault.parse(ScriptedFault.of(kind, "v").at(2).text()))
                .isEqualTo(ScriptedFault.of(kind, "v").at(2));
        assertThat(ScriptedFault.of(kind).effectiveValue()).isEqualTo(kind.preset());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Hang", "hung", "hang@", "hang@0", "hang@3-2", "hang@x", "=3"})
    void other_texts_are_refused(String text) {
        assertThatThrownBy(() -> ScriptedFault.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_number_that_is_none_is_refused_when_it_is_needed() {
        assertThatThrownBy(() -> ScriptedFault.of(FaultKind.SLOW, "soon").number())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("slow takes a number, not 'soon'");
    }

    @Test
    void a_script_is_the_same_as_arguments_and_as_variables() {
        ServerScript script = ServerScript.faultless()
                .withPageSize(7)
                .withJournal(Path.of("calls.txt"))
                .withEra(Era.MODERN)
                .with(FaultKind.NOISE)
                .with(ScriptedFault.of(FaultKind.SLOW, 5).from(2));
        List<String> arguments = script.arguments();
        assertThat(arguments)
                .containsExactly(
                        "--page-size",
                        "7",
                        "--journal",
                        "calls.txt",
                        "--era",
                        "modern",
                        "--fault",
                        "noise",
                        "--fault",
                        "slow=5@2-");
        ServerScript read = ServerScript.faultless();
        for (int i = 0; i < arguments.size(); i += 2) {
            read = read.and(arguments.get(i), arguments.get(i + 1));
        }
        assertThat(read).isEqualTo(script);
        assertThat(ServerScript.of(Map.of(
                        "FIXTURE_PAGE_SIZE", "7",
                        "FIXTURE_JOURNAL", "calls.txt",
                        "FIXTURE_ERA", "modern",
                        "FIXTURE_FAULTS", "noise, slow=5@2-")))
                .isEqualTo(script);
        assertThat(ServerScript.of(Map.of())).isEqualTo(ServerScript.faultless());
        assertThat(ServerScript.faultless().arguments()).isEmpty();
    }

    @Test
    void an_unknown_argument_is_refused() {
        assertThatThrownBy(() -> ServerScript.faultless().and("--what", "1")).hasMessage("there is no --what");
        assertThatThrownBy(() -> ServerScript.faultless().and("--era", "stone"))
                .hasMessage("no era is named 'stone'; there are [legacy, modern, both]");
        assertThatThrownBy(() -> ServerScript.faultless().withPageSize(-1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
