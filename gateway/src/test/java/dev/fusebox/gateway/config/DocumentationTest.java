package dev.fusebox.gateway.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// `docs/configuration.md` says what the table of keys says, and its examples are good. `-Dkeys.accept` writes the
/// tables anew, between their marks.
class DocumentationTest {
    private static final Path PAPER = Path.of("..", "docs", "configuration.md");
    private static final Pattern EXAMPLE = Pattern.compile("```jsonc?\\n(.*?)```", Pattern.DOTALL);

    private static String paper() throws IOException {
        return Files.readString(PAPER);
    }

    private static Pattern marked(String mark) {
        String begin = Pattern.quote("<!-- keys: " + mark + " -->\n");
        return Pattern.compile(begin + "(.*?)<!-- end -->", Pattern.DOTALL);
    }

    @TestFactory
    Stream<DynamicTest> every_key_stands_in_the_paper_as_in_the_table() throws IOException {
        String paper = paper();
        return Stream.concat(
                Place.ALL.stream().map(place -> check(paper, place.label(), table(place))),
                Stream.of(check(paper, "later", later()), check(paper, "foreign", foreign())));
    }

    private static DynamicTest check(String paper, String mark, String expected) {
        return DynamicTest.dynamicTest(mark, () -> {
            if (Boolean.getBoolean("keys.accept") || "".equals(System.getProperty("keys.accept"))) {
                String whole = "<!-- keys: " + mark + " -->\n" + expected + "<!-- end -->";
                Files.writeString(PAPER, marked(mark).matcher(paper()).replaceFirst(Matcher.quoteReplacement(whole)));
            } else {
                assertThat(marked(mark).matcher(paper).results().map(found -> found.group(1)))
                        .containsExactly(expected);
            }
        });
    }

    private static String table(Place place) {
        return "\n| key | type | default | meaning |\n|---|---|---|---|\n"
                + place.keys().stream().map(DocumentationTest::row).collect(Collectors.joining())
                + "\n";
    }

    private static String row(Key<?> key) {
        String usual = key.preset().isEmpty() ? "" : "`" + key.preset() + "`";
        String type = key.kind().words() + (key.isNullable() ? ", or `null`" : "");
        return "| `" + key.name() + "` | " + type + " | " + usual + " | " + key.meaning() + " |\n";
    }

    private static String later() {
        return "\n"
                + Place.ALL.stream()
                        .filter(place -> !place.later().isEmpty())
                        .map(place -> "- " + place.words() + ": "
                                + place.later().stream()
                                        .sorted()
                                        .map(name -> "`" + name + "`")
                                        .collect(Collectors.joining(", "))
                                + "\n")
                        .collect(Collectors.joining())
                + "\n";
    }

    private static String foreign() {
        return "\n| key | stands in | accepted | what is said |\n|---|---|---|---|\n"
                + Place.ALL.stream()
                        .flatMap(place -> place.foreign().stream().map(foreign -> row(place, foreign)))
                        .collect(Collectors.joining())
                + "\n";
    }

    private static String row(Place place, Foreign foreign) {
        String accepted = foreign.verdict() == Foreign.Verdict.ACCEPTED ? "with a warning" : "no";
        return "| `" + foreign.name() + "` | " + place.words() + " | " + accepted + " | " + foreign.words() + " |\n";
    }

    @Test
    void every_example_is_good() throws IOException {
        List<String> examples =
                EXAMPLE.matcher(paper()).results().map(found -> found.group(1)).toList();

        assertThat(examples).hasSizeGreaterThan(3).allSatisfy(example -> {
            Reading reading = Reads.read(example.getBytes(UTF_8));
            assertThat(reading.lines()).isEmpty();
            assertThat(reading).isInstanceOf(Reading.Usable.class);
        });
    }
}
