package dev.fusebox.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Runs the rules over sources on every hand-written file of the checkout.
class TidyTest {
    @Test
    void files_are_short_enough_to_be_read() {
        assertNone(ShapeRules::tooLongFiles);
    }

    @Test
    void methods_are_short_enough_to_be_seen_at_once() {
        assertNone(ShapeRules::tooLongMethods);
    }

    @Test
    void methods_are_not_nested_too_deep() {
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
    void names_of_types_say_something() {
        assertNone(NameRules::emptyTypeNames);
    }

    @Test
    void no_two_shipped_types_have_one_name() {
        assertThat(Sources.ofTheCheckout()).isNotEmpty();
        assertThat(NameRules.typesNamedTwice(Sources.ofTheCheckout())).isEmpty();
    }

    @Test
    void nothing_is_named_a_getter() {
        assertNone(NameRules::getters);
    }

    @Test
    void names_of_tests_are_sentences() {
        assertNone(NameRules::testsThatAreNoSentence);
    }

    @Test
    void no_test_is_switched_off() {
        assertNone(NameRules::testsSwitchedOff);
    }

    @Test
    void no_comment_puts_work_off() {
        assertNone(TextRules::workPutOff);
    }

    @Test
    void no_comment_hides_code() {
        assertNone(TextRules::codeInComments);
    }

    @Test
    void nothing_sleeps() {
        assertNone(TextRules::sleeps);
    }

    @Test
    void a_test_that_starts_processes_has_a_tag() {
        assertNone(TextRules::processesWithoutTag);
    }

    @Test
    void lines_fit_the_width() {
        assertNone(TextRules::tooWideLines);
    }

    @Test
    void white_space_is_tidy_in_every_text_but_prose() {
        Checkout here = Checkout.HERE;
        List<Path> files = here.textFiles().stream()
                .filter(file -> !file.toString().endsWith(".md"))
                .toList();
        assertThat(files).isNotEmpty();
        assertThat(files.stream().flatMap(file -> TextRules.untidyWhiteSpace(here.nameOf(file), Checkout.read(file))))
                .isEmpty();
    }

    @Test
    void public_types_say_what_they_are() {
        assertNone(DocRules::missingDocs);
    }

    @Test
    void types_for_others_say_what_threads_may_do_with_them() {
        Set<String> exported = DocRules.exportedPackages(Sources.ofTheCheckout());
        assertThat(exported).contains("dev.fusebox.breaker");
        assertNone(source -> DocRules.silentOnThreads(source, exported));
    }

    private static void assertNone(Function<Source, Stream<String>> rule) {
        assertThat(Sources.ofTheCheckout()).isNotEmpty();
        assertThat(Sources.ofTheCheckout().stream().flatMap(rule)).isEmpty();
    }
}
