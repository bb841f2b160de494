package dev.fusebox.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Applies the rules over documents and POMs to the checkout.
class DocumentsTest {
    /// The required documents. A document on which others rely gets a line here.
    private static final List<String> MUST_BE_THERE = List.of(
            ".editorconfig",
            ".gitignore",
            "pom.xml",
            "LICENSE",
            "README.md",
            "ARCHITECTURE.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "SECURITY.md",
            "docs/adr/0000-template.md",
            "docs/benchmarks.md",
            "docs/concurrency.md",
            "docs/vocabulary.md");

    /// The README is a landing page; what needs more room is in `docs`.
    private static final int README_LINES = 150;

    private static final String DECISIONS = "docs/adr/";
    private static final String TEMPLATE = DECISIONS + "0000-template.md";
    private static final String INDEX = DECISIONS + "README.md";

    private static final Checkout HERE = Checkout.HERE;
    private static final List<Markdown> PAPERS =
            HERE.textFiles(".md").stream().map(DocumentsTest::paper).toList();

    @Test
    void required_documents_exist() {
        assertThat(DocumentRules.missing(HERE, MUST_BE_THERE)).isEmpty();
    }

    @Test
    void vocabulary_has_at_most_forty_terms() {
        long rows = Checkout.read(HERE.root().resolve("docs/vocabulary.md"))
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| term "))
                .count();
        assertThat(rows).isBetween(1L, 40L);
    }

    @Test
    void readme_has_at_most_150_lines() {
        assertThat(DocumentRules.tooLong(paper(HERE.root().resolve("README.md")), README_LINES))
                .isEmpty();
    }

    @Test
    void no_link_is_broken() {
        assertNone(paper -> DocumentRules.deadLinks(HERE, paper));
    }

    @Test
    void no_document_contains_a_path_on_a_developers_machine() {
        assertNone(DocumentRules::machinePaths);
    }

    @Test
    void every_code_block_matches_its_source() {
        assertNone(paper -> DocumentRules.staleExcerpts(HERE, paper));
    }

    @Test
    void every_decision_has_the_sections_of_the_template() {
        Markdown template = paper(HERE.root().resolve(TEMPLATE));
        assertThat(template.chapters()).hasSizeGreaterThanOrEqualTo(4);
        assertThat(decisions().stream().flatMap(it -> DocumentRules.malformedDecision(template, it)))
                .isEmpty();
    }

    @Test
    void every_decision_has_a_unique_number_and_is_listed() {
        assertThat(DocumentRules.duplicateNumbers(decisions())).isEmpty();
        List<String> index = decisions().isEmpty() ? List.of() : List.of(INDEX);
        assertThat(DocumentRules.missing(HERE, index)).isEmpty();
        assertThat(index.stream()
                        .map(name -> paper(HERE.root().resolve(name)))
                        .flatMap(it -> DocumentRules.unlisted(it, decisions())))
                .isEmpty();
    }

    @Test
    void no_text_names_a_registry() {
        assertThat(HERE.textFiles().stream()
                        .flatMap(file -> DocumentRules.registries(HERE.nameOf(file), Checkout.read(file))))
                .isEmpty();
    }

    @Test
    void versions_are_properties_of_the_root_pom_only() {
        String root = Checkout.read(HERE.root().resolve("pom.xml"));
        assertThat(PomRules.versionsOutsideTheProperties("pom.xml", root)).isEmpty();
        assertThat(HERE.modules().stream()
                        .flatMap(it -> PomRules.versionsInAModule(HERE.nameOf(it.pom()), Checkout.read(it.pom()))))
                .isEmpty();
    }

    @Test
    void every_module_folder_is_built() {
        String root = Checkout.read(HERE.root().resolve("pom.xml"));
        assertThat(HERE.modules()).isNotEmpty();
        assertThat(PomRules.modulesNotBuilt(root, HERE.modules().stream())).isEmpty();
    }

    private static List<Markdown> decisions() {
        return PAPERS.stream()
                .filter(paper -> paper.name().startsWith(DECISIONS))
                .filter(paper -> !paper.name().equals(TEMPLATE) && !paper.name().equals(INDEX))
                .toList();
    }

    private static Markdown paper(Path file) {
        return new Markdown(HERE.nameOf(file), Checkout.read(file));
    }

    private static void assertNone(Function<Markdown, Stream<String>> rule) {
        assertThat(PAPERS).isNotEmpty();
        assertThat(PAPERS.stream().flatMap(rule)).isEmpty();
    }
}
