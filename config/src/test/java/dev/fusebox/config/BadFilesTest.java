package dev.fusebox.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Files with mistakes in them, each with all that is said of it. They stand in `bad-files.txt`: a line `=== name`, the
/// file, a line `---`, what is said.
class BadFilesTest {
    private record Case(String name, String file, List<String> said) {}

    @TestFactory
    Stream<DynamicTest> everything_that_is_wrong_is_said_with_its_place() {
        return cases().stream()
                .map(it -> DynamicTest.dynamicTest(
                        it.name(), () -> assertThat(Reads.verdict(it.file())).isEqualTo(it.said())));
    }

    @Test
    void no_message_contains_the_value_of_a_variable() {
        assertThat(cases())
                .allSatisfy(it -> assertThat(Reads.verdict(it.file())).noneMatch(line -> line.contains("s3cr3t")));
    }

    @Test
    void there_are_many() {
        assertThat(cases()).hasSizeGreaterThan(60);
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (String block : text().split("(?m)^=== ", -1)) {
            if (!block.isBlank()) {
                String[] nameAndRest = block.split("\n", 2);
                String[] fileAndSaid = nameAndRest[1].split("(?m)^---\n", 2);
                cases.add(new Case(
                        nameAndRest[0],
                        fileAndSaid[0],
                        fileAndSaid[1].lines().filter(line -> !line.isBlank()).toList()));
            }
        }
        return cases;
    }

    private static String text() {
        try (InputStream in = BadFilesTest.class.getResourceAsStream("bad-files.txt")) {
            if (in == null) {
                throw new AssertionError("bad-files.txt is missing");
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
