package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Tests of the form of the training data, and that none of it is about the servers of the test data.
class WrittenQuestionsTest {
    private static final Path FOLDER = Path.of("training/written");
    private static final int FIELDS = 7;

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
        Set<String> tested = Shop.lines("tools.tsv").stream()
                .map(line -> line.split("\t", 2)[0])
                .collect(Collectors.toSet());
        assertThat(rows()).noneSatisfy(row -> assertThat(tested).contains(row[0]));
    }
}
