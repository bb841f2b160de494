package dev.fusebox.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Applies the rules over sources to every hand-written file of the checkout.
///
/// Takes over five seconds on a busy machine: the first test reads all sources.
class StyleTest {
    /// Lines of code that users get. A change that adds a feature raises it by what the feature needs; one that
    /// removes code lowers it.
    private static final long SHIPPED_LINES = 97_000;

    @Test
    void files_do_not_exceed_the_line_limit() {
        assertNone(ShapeRules::tooLongFiles);
    }

    @Test
    void methods_do_not_exceed_the_line_limit() {
        assertNone(ShapeRules::tooLongMethods);
    }

    @Test
    void methods_are_not_nested_too_deeply() {
        assertNone(ShapeRules::tooDeepMethods);
    }

    @Test
    void methods_take_few_parameters() {
        assertNone(ShapeRules::tooManyParameters);
    }

    @Test
    void nine_tenths_of_methods_and_files_are_small() {
        Figures methods = ShapeRules.lengthsOfMethods(Sources.ofTheCheckout());
        Figures files = ShapeRules.lengthsOfFiles(Sources.ofTheCheckout());
        System.out.println("figures: methods " + methods + "; files " + files);
        assertThat(methods.count()).isPositive();
        assertThat(ShapeRules.softLimitsBroken(methods, files)).isEmpty();
    }

    @Test
    void shipped_code_grows_only_on_purpose() {
        long lines = ShapeRules.shippedLines(Sources.ofTheCheckout());
        System.out.println("figures: " + lines + " lines of shipped code");
        assertThat(lines).isBetween(SHIPPED_LINES - 1_000, SHIPPED_LINES);
    }

    @Test
    void type_names_are_meaningful() {
        assertNone(NameRules::meaninglessTypeNames);
    }

    @Test
    void no_two_shipped_types_have_the_same_name() {
        assertThat(Sources.ofTheCheckout()).isNotEmpty();
        assertThat(NameRules.typesNamedTwice(Sources.ofTheCheckout())).isEmpty();
    }

    @Test
    void no_method_has_a_get_prefix() {
        assertNone(NameRules::getters);
    }

    @Test
    void test_names_are_sentences() {
        assertNone(NameRules::testsWithoutSentence);
    }

    @Test
    void no_test_is_disabled() {
        assertNone(NameRules::disabledTests);
    }

    @Test
    void no_comment_defers_work() {
        assertNone(TextRules::deferredWork);
    }

    @Test
    void no_comment_contains_code() {
        assertNone(TextRules::codeInComments);
    }

    @Test
    void no_code_sleeps() {
        assertNone(TextRules::sleeps);
    }

    @Test
    void test_that_starts_processes_has_a_tag() {
        assertNone(TextRules::processesWithoutTag);
    }

    @Test
    void lines_fit_the_width() {
        assertNone(TextRules::tooWideLines);
    }

    @Test
    void white_space_is_tidy_in_every_text_except_prose() {
        Checkout here = Checkout.HERE;
        List<Path> files = here.textFiles().stream()
                .filter(file -> !file.toString().endsWith(".md"))
                .toList();
        assertThat(files).isNotEmpty();
        assertThat(files.stream().flatMap(file -> TextRules.untidyWhiteSpace(here.nameOf(file), Checkout.read(file))))
                .isEmpty();
    }

    @Test
    void public_types_have_a_doc_comment() {
        assertNone(DocRules::missingDocs);
    }

    @Test
    void exported_types_document_their_thread_safety() {
        Set<String> exported = DocRules.exportedPackages(Sources.ofTheCheckout());
        assertThat(exported).contains("dev.fusebox.breaker");
        assertNone(source -> DocRules.silentOnThreads(source, exported));
    }

    private static void assertNone(Function<Source, Stream<String>> rule) {
        assertThat(Sources.ofTheCheckout()).isNotEmpty();
        assertThat(Sources.ofTheCheckout().stream().flatMap(rule)).isEmpty();
    }
}
