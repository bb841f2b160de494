package dev.fusebox.gateway.errors;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every error id has a page, and every page an id.
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
}
