package dev.fusebox.config;

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
                FileSection.SECTIONS.stream().map(sectionType -> check(paper, sectionType.label(), table(sectionType))),
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

    private static String table(SectionType sectionType) {
        return "\n| key | type | default | meaning |\n|---|---|---|---|\n"
                + sectionType.keys().stream().map(DocumentationTest::row).collect(Collectors.joining())
                + "\n";
    }

    private static String row(ConfigKey<?> key) {
        String usual = key.preset().isEmpty() ? "" : "`" + key.preset() + "`";
        String type = key.valueType().words() + (key.isNullable() ? ", or `null`" : "");
        return "| `" + key.name() + "` | " + type + " | " + usual + " | " + key.meaning() + " |\n";
    }

    private static String later() {
        return "\n"
                + FileSection.SECTIONS.stream()
                        .filter(sectionType -> !sectionType.later().isEmpty())
                        .map(sectionType -> "- " + sectionType.words() + ": "
                                + sectionType.later().stream()
                                        .sorted()
                                        .map(name -> "`" + name + "`")
                                        .collect(Collectors.joining(", "))
                                + "\n")
                        .collect(Collectors.joining())
                + "\n";
    }

    private static String foreign() {
        return "\n| key | section | accepted | message |\n|---|---|---|---|\n"
                + FileSection.SECTIONS.stream()
                        .flatMap(sectionType ->
                                sectionType.foreignKeys().stream().map(foreignKey -> row(sectionType, foreignKey)))
                        .collect(Collectors.joining())
                + "\n";
    }

    private static String row(SectionType sectionType, ForeignKey foreignKey) {
        String accepted = foreignKey.treatment() == ForeignKey.Treatment.ACCEPTED ? "with a warning" : "no";
        return "| `" + foreignKey.name() + "` | " + sectionType.words() + " | " + accepted + " | " + foreignKey.words()
                + " |\n";
    }

    @Test
    void every_example_is_good() throws IOException {
        List<String> examples =
                EXAMPLE.matcher(paper()).results().map(found -> found.group(1)).toList();

        assertThat(examples).hasSizeGreaterThan(3).allSatisfy(example -> {
            ReadResult readResult = Reads.read(example.getBytes(UTF_8));
            assertThat(readResult.lines()).isEmpty();
            assertThat(readResult).isInstanceOf(ReadResult.Usable.class);
        });
    }
}
