package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests of the form of the training data, and that none of it is about the servers of the test data.
class WrittenQuestionsTest {
    private static final Path FOLDER = Path.of("training/written");
    private static final int FIELDS = 7;
    private static final int SEQUENCE = 4;
    private static final int LEAST_SEQUENCES = 3;
    private static final double MOST_IN_COMMON = 0.6;

    private static List<String[]> rows() throws IOException {
        List<String[]> rows = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(FOLDER, "*.tsv")) {
            for (Path file : files) {
                Files.readAllLines(file).forEach(line -> rows.add(line.split("\t", -1)));
            }
        }
        return rows;
    }

    @Test
    void each_row_is_a_tool_with_three_questions_and_no_question_is_repeated() throws IOException {
        List<String[]> rows = rows();
        assertThat(rows)
                .hasSizeGreaterThan(3_000)
                .allSatisfy(row -> assertThat(row).hasSize(FIELDS));
        List<String> questions = new ArrayList<>();
        rows.forEach(row -> questions.addAll(List.of(row[4], row[5], row[6])));
        assertThat(questions)
                .doesNotHaveDuplicates()
                .allSatisfy(question -> assertThat(question).hasSizeGreaterThan(10));
    }

    @Test
    void servers_of_the_test_data_are_not_trained_with() throws IOException {
        Set<String> tested = RealTools.lines("tools.tsv").stream()
                .map(line -> plain(line.split("\t", 2)[0]))
                .collect(Collectors.toSet());
        assertThat(rows()).extracting(row -> plain(row[0])).doesNotContainAnyElementsOf(tested);
    }

    /// Without the words that say nothing about the product.
    private static String plain(String server) {
        return String.join(" ", words(server))
                .replaceAll("\\b(?:mcp|server)\\b", "")
                .strip();
    }

    private static List<String> words(String text) {
        return List.of(text.toLowerCase(Locale.ROOT).split("[^a-z0-9]+", -1));
    }

    @Test
    void descriptions_of_the_test_data_are_not_repeated() throws IOException {
        List<Set<List<String>>> tested = RealTools.open().documents().stream()
                .map(document -> sequences(document.description()))
                .toList();
        assertThat(rows())
                .extracting(row -> row[2])
                .filteredOn(description -> share(sequences(description), tested) >= MOST_IN_COMMON)
                .isEmpty();
    }

    /// All sequences of four words.
    private static Set<List<String>> sequences(String text) {
        List<String> words = words(text);
        return IntStream.rangeClosed(0, words.size() - SEQUENCE)
                .mapToObj(from -> words.subList(from, from + SEQUENCE))
                .collect(Collectors.toSet());
    }

    /// The greatest share of these that one of the others contains; none of a short text.
    private static double share(Set<List<String>> some, List<Set<List<String>>> others) {
        return some.size() < LEAST_SEQUENCES
                ? 0
                : others.stream()
                                .mapToLong(other ->
                                        some.stream().filter(other::contains).count())
                                .max()
                                .orElse(0)
                        / (double) some.size();
    }

    @Test
    void questions_of_the_test_data_are_not_repeated() throws IOException {
        List<Set<String>> tested = RealTools.open().questions().stream()
                .map(question ->
                        Set.copyOf(words(question.text()).stream().distinct().toList()))
                .toList();
        assertThat(rows())
                .flatExtracting(row -> List.of(row[4], row[5], row[6]))
                .filteredOn(question -> likeness(new HashSet<>(words(question)), tested) > MOST_IN_COMMON)
                .isEmpty();
    }

    /// The greatest share of common words among all words of this question and another.
    private static double likeness(Set<String> words, List<Set<String>> others) {
        return others.stream()
                .mapToDouble(other -> {
                    long common = words.stream().filter(other::contains).count();
                    return common / (double) (words.size() + other.size() - common);
                })
                .max()
                .orElse(0);
    }
}
