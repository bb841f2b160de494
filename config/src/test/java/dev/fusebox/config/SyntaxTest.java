package dev.fusebox.config;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.SourceText.Position;
import java.nio.charset.Charset;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a file may look like.
class SyntaxTest {
    private static final String FILE = "{\"mcpServers\": {\"one\": {\"command\": \"c\"}}}";

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "`[1] // c` | `[1]     `",
                "`[1 /* , ] */]` | `[1          ]`",
                "`/**/[]` | `    []`",
                "`[1,]` | `[1 ]`",
                "`[1, /* c */ ]` | `[1          ]`",
                "`{\"a\":1,}` | `{\"a\":1 }`",
                "`[[],]` | `[[] ]`",
                "`[{\"a\":\"b\",},]` | `[{\"a\":\"b\" } ]`",
                "`[\"//\", \"/*\", \",]\", \"\\\"//\"]` | `[\"//\", \"/*\", \",]\", \"\\\"//\"]`",
                "`[,]` | `[,]`",
                "`[1,,]` | `[1,,]`",
                "`{\"a\":,}` | `{\"a\":,}`",
                "`[1/2]` | `[1/2]`",
                "`[\"a` | `[\"a`",
                "`[\"a\\` | `[\"a\\`"
            })
    void comments_and_trailing_commas_become_blanks_in_place(String written, String plain) {
        assertThat(new String(Jsonc.of(written.getBytes(UTF_8)).json(), UTF_8)).isEqualTo(plain);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\n", "\n", "\r"})
    void line_ends_are_counted_as_editors_do(String end) {
        String text = "{ // one" + end + "\"mcpServers\": {}, /* two" + end + "three */ \"x\": 1 }";

        assertThat(Reads.verdict(text)).containsExactly("f.json:3:10: /x is not a key of Fusebox", "refused");
    }

    @Test
    void a_byte_order_mark_takes_no_column() {
        assertThat(Reads.verdict("\uFEFF" + FILE)).containsExactly("usable: one ready");
        assertThat(Reads.verdict("\uFEFF{\"x\": 1}"))
                .containsExactly("f.json:1:2: /x is not a key of Fusebox", "refused");
    }

    static Stream<Charset> wide() {
        return Stream.of(UTF_16, UTF_16LE, Charset.forName("UTF-32"), Charset.forName("UTF-32LE"));
    }

    @ParameterizedTest
    @MethodSource("wide")
    void other_encodings_are_refused_by_name(Charset charset) {
        assertThat(Reads.read(FILE.getBytes(charset)).lines())
                .containsExactly("f.json: the configuration is UTF-16 or UTF-32; save it as UTF-8");
    }

    @Test
    void bytes_that_are_no_utf_8_are_refused_with_their_place() {
        byte[] text = FILE.getBytes(UTF_8);
        text[FILE.indexOf("one")] = (byte) 0xFF;

        assertThat(Reads.read(text).lines())
                .containsExactly("f.json:1:18: the configuration is not JSON: invalid UTF-8");
    }

    @Test
    void deep_nesting_is_refused() {
        assertThat(Reads.verdict("[".repeat(100_000)))
                .containsExactly("f.json:1:129: the configuration is not JSON: nested deeper than 128", "refused");
    }

    @Test
    void every_usual_value_may_be_written_out() {
        Configuration file = Reads.with("""
                "breaker": { "mode": "consecutive", "failureThreshold": 5, "cooldownMs": 30000, "cooldownGrowth": 2,
                  "maxCooldownMs": 300000, "jitter": 0.1, "windowMs": 300000, "minimumCalls": 10, "halfOpenMaxCalls": 1,
                  "successesToClose": 1, "failureRate": null, "slowCallMs": null, "slowCallRate": null },
                "limits": { "frameBytes": 16777216, "depth": 128, "toolPages": 100, "clientWriteMs": 30000,
                  "clientWaitMs": 300000, "stuckWriteMs": 30000, "eraProbeMs": 3000 },
                """);

        assertThat(file.gateway()).isEqualTo(Reads.with("\"expose\": \"proxy\"").gateway());
    }

    @Test
    void thousands_of_mistakes_in_a_long_file_have_their_places() {
        StringBuilder text = new StringBuilder("{\n");
        for (int line = 0; line < 20_000; line++) {
            text.append(" \"ü").append(line).append("\": 1,\n");
        }
        ReadResult readResult = Reads.read(text + "}");

        assertThat(readResult.problems()).hasSize(20_000);
        assertThat(readResult.problems().getLast().line()).isEqualTo(20_001);
        assertThat(readResult.problems().getLast().column()).isEqualTo(2);
    }

    @Test
    void a_place_in_no_line_is_nowhere() {
        assertThat(SourceText.of("f", new byte[0]).at(-1)).isEqualTo(Position.NOWHERE);
        assertThat(SourceText.of("f", new byte[0]).at(0)).isEqualTo(new Position(1, 1));
    }
}
