package dev.fusebox.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every error id has a page, and every page an id; the index states what the enumeration states.
class ErrorIdPagesTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGES = ROOT.resolve(Path.of("docs", "errors"));
    private static final String INDEX = "README.md";

    private static List<String> ids() {
        return Stream.of(ErrorId.values()).map(ErrorId::id).toList();
    }

    @Test
    void every_id_has_a_page_with_event_causes_and_remedies() throws IOException {
        for (ErrorId errorId : ErrorId.values()) {
            assertThat(Files.readString(ROOT.resolve(errorId.page())))
                    .startsWith("# " + errorId.id() + ": ")
                    .containsSubsequence("## What happened", "## Usual causes", "## How to fix it");
        }
    }

    @Test
    void every_page_belongs_to_an_id() throws IOException {
        try (Stream<Path> files = Files.list(PAGES)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> !name.equals(INDEX))
                            .map(name -> name.replace(".md", "")))
                    .containsExactlyInAnyOrderElementsOf(ids());
        }
    }

    @Test
    void index_lists_every_page() throws IOException {
        String index = Files.readString(PAGES.resolve(INDEX));
        assertThat(ids()).allSatisfy(id -> assertThat(index).contains("| [" + id + "](" + id + ".md) | "));
    }

    @Test
    void index_states_code_category_and_outcome_of_every_id() throws IOException {
        List<String> rows = Files.readAllLines(PAGES.resolve(INDEX));
        assertThat(ErrorId.values()).allSatisfy(errorId -> {
            String id = errorId.id();
            assertThat(rows)
                    .filteredOn(row -> row.startsWith("| [" + id + "]"))
                    .singleElement()
                    .asString()
                    .endsWith(row(errorId));
        });
    }

    private static String row(ErrorId errorId) {
        return errorId.isOfCalls()
                ? " | `" + errorId.code() + "` | `" + errorId.category() + "` | " + outcome(errorId) + " |"
                : " | - | - | - |";
    }

    private static String outcome(ErrorId errorId) {
        return errorId.delivery() == null ? "-" : "`" + errorId.delivery() + "`";
    }

    @Test
    void every_code_belongs_to_an_id() {
        assertThat(Stream.of(ErrorId.values()).filter(ErrorId::isOfCalls).map(ErrorId::code))
                .contains(ErrorCode.values());
    }
}
