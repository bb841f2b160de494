package dev.fusebox.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that every rule over sources can fail, and that its exceptions hold.
class StyleRulesTest {
    private static final String PUT_OFF = "TO" + "DO";

    @Test
    void file_that_is_one_line_too_long_is_found() {
        assertThat(found(ShapeRules::tooLongFiles, "class A {" + "\n".repeat(499) + "}"))
                .isEmpty();
        assertThat(found(ShapeRules::tooLongFiles, "class A {" + "\n".repeat(500) + "}"))
                .hasSize(1);
    }

    @Test
    void method_that_is_one_line_too_long_is_found() {
        String method = "class A {\n@Deprecated\n@Override\npublic void run() {%s}\n}";
        assertThat(found(ShapeRules::tooLongMethods, method.formatted("\n".repeat(59))))
                .isEmpty();
        assertThat(found(ShapeRules::tooLongMethods, method.formatted("\n".repeat(60))))
                .hasSize(1);
    }

    @Test
    void constructors_and_methods_of_anonymous_types_are_measured() {
        String gap = "\n".repeat(60);
        assertThat(found(ShapeRules::tooLongMethods, "class A { A() {" + gap + "} }"))
                .hasSize(1);
        assertThat(found(ShapeRules::tooLongMethods, "class A { Object o = new Object() { void m() {" + gap + "} }; }"))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "if (a) { %s }",
                "if (a) { } else { %s }",
                "if (a) { } else if (b) { %s }",
                "for (;;) { %s }",
                "for (var x : y) { %s }",
                "while (a) { %s }",
                "do { %s } while (a);",
                "switch (a) { case 1: %s }",
                "int x = switch (a) { default -> { %s yield 1; } };",
                "try { %s } finally { }",
                "try { } catch (Error e) { %s }",
                "synchronized (this) { %s }",
                "run(() -> { %s });"
            })
    void every_kind_of_block_is_one_level(String block) {
        assertThat(depth(block.formatted(""))).isEqualTo(1);
        assertThat(depth(block.formatted(block.formatted("")))).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{ { } }", "label: { }", "run(() -> 1);", "new Object() { void m() { if (a) { } } };"})
    void plain_blocks_are_not_a_level(String block) {
        assertThat(depth(block)).isZero();
    }

    @Test
    void fourth_level_is_found() {
        String method = "class A { void m() { if (a) { for (;;) { try { %s } finally { } } } } }";
        assertThat(found(ShapeRules::tooDeepMethods, method.formatted("run();")))
                .isEmpty();
        assertThat(found(ShapeRules::tooDeepMethods, method.formatted("while (a) run();")))
                .hasSize(1);
    }

    @Test
    void fifth_parameter_is_found() {
        assertThat(found(ShapeRules::tooManyParameters, "class A { void m(int a, int b, int c, int d) {} }"))
                .isEmpty();
        assertThat(found(ShapeRules::tooManyParameters, "class A { void m(int a, int b, int c, int d, int e) {} }"))
                .hasSize(1);
        assertThat(found(ShapeRules::tooManyParameters, "class A { A(int a, int b, int c, int d, int e) {} }"))
                .hasSize(1);
    }

    @Test
    void records_tests_and_overrides_may_take_more_parameters() {
        String five = "(int a, int b, int c, int d, int e)";
        assertThat(found(ShapeRules::tooManyParameters, "record R" + five + " { R" + five + " {} }"))
                .isEmpty();
        assertThat(found(ShapeRules::tooManyParameters, "record R(int z) { R" + five + " {} }"))
                .hasSize(1);
        assertThat(found(ShapeRules::tooManyParameters, "class A { @ParameterizedTest void t" + five + " {} }"))
                .isEmpty();
        assertThat(found(ShapeRules::tooManyParameters, "class A { @Override void m" + five + " {} }"))
                .isEmpty();
    }

    @Test
    void only_a_tenth_may_exceed_the_soft_limit() {
        Figures methods = Figures.of(IntStream.of(1, 2, 3, 4, 5, 6, 7, 8, 16, 60));
        Figures files = Figures.of(IntStream.of(10, 251));
        assertThat(methods).isEqualTo(new Figures(10, 5, 16, 60));
        assertThat(ShapeRules.softLimitsBroken(methods, Figures.of(IntStream.of(250))))
                .isEmpty();
        assertThat(ShapeRules.softLimitsBroken(Figures.of(IntStream.of(3, 17)), files))
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CallImpl",
                "TimeUtils",
                "TimeUtil",
                "CallHelper",
                "CallManager",
                "CallProcessor",
                "AbstractCall",
                "DefaultCall",
                "ICall"
            })
    void meaningless_name_is_found(String name) {
        assertThat(found(NameRules::meaninglessTypeNames, "class " + name + " {}"))
                .hasSize(1);
        assertThat(found(NameRules::meaninglessTypeNames, "class A { interface " + name + " {} }"))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Defaults", "IpAddress", "Implementation", "Abstraction", "Call", "IOFault"})
    void name_that_only_looks_similar_is_allowed(String name) {
        assertThat(found(NameRules::meaninglessTypeNames, "class " + name + " {}"))
                .isEmpty();
    }

    @Test
    void duplicate_name_of_shipped_types_is_found() {
        Source type = Sources.parse("class A {}").getFirst();
        Source shipped = named("client/src/main/java/A.java", type);
        assertThat(NameRules.typesNamedTwice(List.of(shipped, named("gateway/src/main/java/A.java", type))))
                .hasSize(1);
        assertThat(NameRules.typesNamedTwice(List.of(
                        shipped, named("bench/src/main/java/A.java", type), named("cli/src/test/java/A.java", type))))
                .isEmpty();
    }

    @Test
    void only_code_of_shipped_modules_is_counted() {
        Source type = Sources.parse("/** A\n * B */\nclass A {\n\n    /// C\n    // D\n    int e;\n}\n")
                .getFirst();
        List<Source> sources = List.of(
                named("client/src/main/java/A.java", type),
                named("client/src/test/java/A.java", type),
                named("fixtures/src/main/java/A.java", type));
        assertThat(ShapeRules.shippedLines(sources)).isEqualTo(3);
    }

    private static Source named(String name, Source source) {
        return new Source(name, source.text(), source.unit(), source.trees());
    }

    @Test
    void getter_is_found() {
        assertThat(found(NameRules::getters, "class A { int getSize() { return 1; } }"))
                .hasSize(1);
        assertThat(found(NameRules::getters, "class A { @Override int getSize() { return 1; } }"))
                .isEmpty();
        assertThat(found(NameRules::getters, "class A { int get() { return 1; } int getaway() { return 1; } }"))
                .isEmpty();
        assertThat(found(NameRules::getters, "class A { int getSize(int of) { return 1; } }"))
                .isEmpty();
    }

    @Test
    void test_name_that_is_not_a_sentence_is_found() {
        String test = "class A { @Test void %s() {} }";
        assertThat(found(NameRules::testsWithoutSentence, test.formatted("testsSomething")))
                .hasSize(1);
        assertThat(found(NameRules::testsWithoutSentence, test.formatted("Some_thing_works")))
                .hasSize(1);
        assertThat(found(NameRules::testsWithoutSentence, test.formatted("something_works")))
                .isEmpty();
        assertThat(found(NameRules::testsWithoutSentence, "class A { @RepeatedTest(3) void twice() {} }"))
                .hasSize(1);
    }

    @Test
    void disabled_test_is_found() {
        assertThat(found(NameRules::disabledTests, "class A { @Disabled(\"later\") void a_test() {} }"))
                .hasSize(1);
        assertThat(found(NameRules::disabledTests, "@org.junit.jupiter.api.Disabled class A {}"))
                .hasSize(1);
    }

    @Test
    void deferred_work_is_found() {
        assertThat(found(TextRules::deferredWork, "// " + PUT_OFF + " later\nclass A {}"))
                .hasSize(1);
        assertThat(found(TextRules::deferredWork, "/** x\n * FIX" + "ME */ class A {}"))
                .containsExactly("src/main/java/A.java:2: 'FIX" + "ME' defers work; do it, or remove the comment");
        assertThat(found(TextRules::deferredWork, "class A { String s = \"// " + PUT_OFF + "\"; }"))
                .isEmpty();
        assertThat(found(TextRules::deferredWork, "class A { String s = \"\"\"\n  // " + PUT_OFF + "\n\"\"\"; }"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "// run();",
                "// if (a) {",
                "// }",
                "// int x = 1;",
                "// return x;",
                "/* a.b(\"c\"); */",
                "/** run(); */",
                "/// run();",
                "/**\n * x\n * run(); */"
            })
    void code_in_a_comment_is_found(String comment) {
        assertThat(found(TextRules::codeInComments, comment + "\nclass A {}")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "// because it may come late;\n// see above",
                "/// ```\n/// run();\n/// ```",
                "/// `run();`",
                "/** {@code\n * run();\n * if (a) { b(); }\n * } */",
                "/** <pre>\n * run();\n * </pre> */",
                "/// {@snippet :\n/// run();\n/// }",
                "///     run();"
            })
    void prose_and_marked_code_in_a_comment_are_allowed(String comment) {
        assertThat(found(TextRules::codeInComments, comment + "\nclass A {}")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Thread.sleep(1)",
                "java.lang.Thread.sleep(1)",
                "TimeUnit.SECONDS.sleep(1)",
                "MILLISECONDS.sleep(1)",
                "run(Thread::sleep)"
            })
    void sleep_is_found(String call) {
        assertThat(found(TextRules::sleeps, "class A { void m() { " + call + "; } }"))
                .hasSize(1);
    }

    @Test
    void imported_sleep_is_found_and_other_sleep_methods_are_allowed() {
        assertThat(found(TextRules::sleeps, "import static java.lang.Thread.sleep; class A {}"))
                .hasSize(1);
        assertThat(found(TextRules::sleeps, "class A { void m() { timers.sleep(1); } }"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"new ProcessBuilder(\"sh\")", "new Checkout(folder)", "RunningGateway.before(folder)"})
    void test_that_starts_processes_without_a_tag_is_found(String call) {
        String text = "class A { Object m = " + call + "; }";
        assertThat(TextRules.processesWithoutTag(named("cli/ATest.java", text))).hasSize(1);
        assertThat(TextRules.processesWithoutTag(named("cli/A.java", text))).isEmpty();
        assertThat(TextRules.processesWithoutTag(named("cli/ATest.java", "@Tag(\"load\") " + text)))
                .isEmpty();
    }

    @Test
    void test_that_only_creates_a_pipe_needs_no_tag() {
        String text = "class A { Object m = new ProcessBuilder(\"mkfifo\", name); }";
        assertThat(TextRules.processesWithoutTag(named("cli/ATest.java", text))).isEmpty();
    }

    private static Source named(String name, String text) {
        Source parsed = Sources.parse(text).getFirst();
        return new Source(name, parsed.text(), parsed.unit(), parsed.trees());
    }

    @Test
    void line_that_is_too_wide_is_found() {
        assertThat(found(TextRules::tooWideLines, "class A {}" + " ".repeat(110)))
                .isEmpty();
        assertThat(found(TextRules::tooWideLines, "class A {}" + " ".repeat(111)))
                .hasSize(1);
    }

    @Test
    void untidy_white_space_is_found() {
        assertThat(TextRules.untidyWhiteSpace("a.xml", "<a>\n\t<b/>\n</a> \n"))
                .containsExactly("a.xml:2: has a tab", "a.xml:3: ends in white space");
        assertThat(TextRules.untidyWhiteSpace("a.xml", "<a>\n\u23CE <b/>\n</a>\n"))
                .containsExactly("a.xml:2: has a symbol for white space");
        assertThat(TextRules.untidyWhiteSpace("a.xml", "<a>\n  <b/>\n</a>\n")).isEmpty();
    }

    @Test
    void public_type_without_a_doc_comment_is_found() {
        assertThat(found(DocRules::missingDocs, main("public class A {}"))).hasSize(1);
        assertThat(found(DocRules::missingDocs, main("/** */ public class A {}")))
                .hasSize(1);
        assertThat(found(DocRules::missingDocs, main("/** A thing. */ public class A {}")))
                .isEmpty();
        assertThat(found(DocRules::missingDocs, main("/// A thing.\npublic record A() {}")))
                .isEmpty();
        assertThat(found(DocRules::missingDocs, main("class A {}"))).isEmpty();
    }

    @Test
    void exported_type_without_thread_safety_comment_is_found() {
        assertThat(silent("/** A thing. */ public class A {}")).hasSize(1);
        assertThat(silent("/** A thing. */ public interface A {}")).hasSize(1);
        assertThat(silent("/** A thing. Not thread-safe. */ public class A {}")).isEmpty();
        assertThat(silent("/// Immutable.\npublic class A {}")).isEmpty();
    }

    @Test
    void values_and_internal_types_need_no_thread_safety_comment() {
        assertThat(silent("public record A() {}")).isEmpty();
        assertThat(silent("public sealed interface A {}")).isEmpty();
        assertThat(silent("public class A extends RuntimeException {}")).isEmpty();
        assertThat(found(source -> DocRules.silentOnThreads(source, Set.of()), main("public class A {}")))
                .isEmpty();
    }

    @Test
    void exported_packages_are_read_from_the_module_descriptors() {
        assertThat(DocRules.exportedPackages(Sources.parse("module a { requires b; exports c.d; exports e to f; }")))
                .containsExactlyInAnyOrder("c.d", "e");
    }

    private static List<String> silent(String type) {
        return found(source -> DocRules.silentOnThreads(source, Set.of("shown")), main(type));
    }

    private static String main(String type) {
        return "package shown; " + type;
    }

    private static int depth(String statement) {
        String text = "class A { void m() { " + statement + " } }";
        return Nesting.of(
                MethodSource.in(Sources.parse(text).getFirst()).getFirst().tree());
    }

    private static List<String> found(Function<Source, Stream<String>> rule, String text) {
        return Sources.parse(text).stream()
                .map(it -> new Source("src/main/java/" + it.name(), it.text(), it.unit(), it.trees()))
                .flatMap(rule)
                .toList();
    }
}
