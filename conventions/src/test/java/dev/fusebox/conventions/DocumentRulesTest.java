package dev.fusebox.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that every rule over documents and POMs can fail, and that its exceptions hold.
class DocumentRulesTest {
    private static final Markdown TEMPLATE = new Markdown("0000-template.md", "# T\n## Context\n## Decision\n");

    @TempDir
    private Path folder;

    @Test
    void missing_file_is_found() throws IOException {
        write("LICENSE", "");
        assertThat(DocumentRules.missing(checkout(), List.of("LICENSE", "README.md")))
                .containsExactly("README.md is missing");
    }

    @Test
    void document_with_too_many_lines_is_found() {
        assertThat(DocumentRules.tooLong(new Markdown("a.md", "x\n".repeat(4)), 3))
                .containsExactly("a.md has 4 lines; 3 are allowed");
        assertThat(DocumentRules.tooLong(new Markdown("a.md", "x\n".repeat(3)), 3))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[a](gone.md)",
                "![a](gone.png)",
                "[a](b.md#gone)",
                "[a](#gone)",
                "[a](/b.md)",
                "[a](../../outside)",
                "[a]: gone.md",
                "[a](gone.md \"title\")"
            })
    void broken_link_is_found(String link) throws IOException {
        write("docs/b.md", "# Some thing");
        assertThat(DocumentRules.deadLinks(checkout(), new Markdown("docs/a.md", link)))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[a](b.md)",
                "[a](b.md#some-thing-here)",
                "[a](b.md#twice-1)",
                "[a](../docs)",
                "[a](#own)",
                "[a](https://example.org/x)",
                "[a](mailto:a@example.org)",
                "`[a](gone.md)`",
                "```\n[a](gone.md)\n```"
            })
    void valid_or_external_link_is_allowed(String link) throws IOException {
        write("docs/b.md", "# Some `thing`, here\n## Twice\n## Twice\n");
        String text = "# Own\n" + link;
        write("docs/a.md", text);
        assertThat(DocumentRules.deadLinks(checkout(), new Markdown("docs/a.md", text)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/home/", "/root/", "/work/", "/Users/", "/tmp/"})
    void path_on_a_developers_machine_is_found(String place) {
        assertThat(DocumentRules.machinePaths(new Markdown("a.md", "see `" + place + "user`")))
                .hasSize(1);
        assertThat(DocumentRules.machinePaths(new Markdown("a.md", "https://example.org" + place)))
                .isEmpty();
        assertThat(DocumentRules.machinePaths(new Markdown("a.md", "`." + place + "`")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"repo.maven.apache", "repo1.maven", "registry.npmjs", "deb.debian"})
    void registry_is_found(String host) {
        assertThat(DocumentRules.registries("a.sh", "curl https://" + host + ".org/x"))
                .hasSize(1);
        assertThat(DocumentRules.registries("a.sh", "curl https://" + host + ".example/x"))
                .isEmpty();
    }

    @Test
    void decision_without_the_sections_of_the_template_is_found() {
        assertThat(shape("0001-a.md", "# A\n## Context\n## Measured\n## Decision\n"))
                .isEmpty();
        assertThat(shape("0001-a.md", "# A\n## Context\n")).hasSize(1);
        assertThat(shape("0001-a.md", "# A\n## Decision\n## Context\n")).hasSize(1);
        assertThat(shape("1-a.md", "A\n## Context\n## Decision\n")).hasSize(2);
    }

    @Test
    void decision_that_is_not_listed_or_has_a_duplicate_number_is_found() {
        var index = new Markdown("README.md", "[one](0001-one.md)");
        List<Markdown> decisions = Stream.of("0001-one.md", "0002-two.md", "0002-three.md")
                .map(name -> new Markdown("docs/adr/" + name, ""))
                .toList();
        assertThat(DocumentRules.unlisted(index, decisions)).hasSize(2);
        assertThat(DocumentRules.duplicateNumbers(decisions)).containsExactly("the number 0002 is used twice");
    }

    @Test
    void block_that_repeats_its_region_is_allowed_with_any_indentation() throws IOException {
        write("A.java", """
                class A {
                    // region: ten lines
                    // region: short
                    run() {
                        a();
                    }
                    // end: short
                }
                """);
        assertThat(excerpt("A.java#short", "```java\nrun() {\n    a();\n}\n```"))
                .isEmpty();
    }

    @Test
    void block_that_differs_from_its_region_is_found() throws IOException {
        write("A.java", """
                // region: short
                a();
                // end: short
                // region: twice
                // end: twice
                // region: twice
                // end: twice
                // region: open
                """);
        assertThat(excerpt("A.java#short", "```java\nb();\n```")).hasSize(1);
        assertThat(excerpt("A.java#short", "and no block")).hasSize(1);
        assertThat(excerpt("A.java#twice", "```java\na();\n```")).hasSize(1);
        assertThat(excerpt("A.java#open", "```java\na();\n```")).hasSize(1);
        assertThat(excerpt("B.java#short", "```java\na();\n```")).hasSize(1);
    }

    @Test
    void version_outside_the_root_is_found() {
        String pom = "<project><parent><version>1</version></parent>%s</project>";
        String dependency = "<dependency><version>2</version></dependency>";
        assertThat(PomRules.versionsInAModule("pom.xml", pom.formatted("<!--" + dependency + "-->")))
                .isEmpty();
        assertThat(PomRules.versionsInAModule("pom.xml", pom.formatted(dependency)))
                .hasSize(1);
        assertThat(PomRules.versionsInAModule("pom.xml", pom.formatted(dependency.replace("2", "${a.version}"))))
                .hasSize(1);
        String path = "<path><version>%s</version></path>";
        assertThat(PomRules.versionsInAModule("pom.xml", pom.formatted(path.formatted("2"))))
                .hasSize(1);
        assertThat(PomRules.versionsInAModule("pom.xml", pom.formatted(path.formatted("${a.version}"))))
                .isEmpty();
    }

    @Test
    void version_of_the_root_that_is_not_a_property_is_found() {
        String pom = "<project><version>1</version><dependency><version>%s</version></dependency></project>";
        assertThat(PomRules.versionsOutsideTheProperties("pom.xml", pom.formatted("${a.version}")))
                .isEmpty();
        assertThat(PomRules.versionsOutsideTheProperties("pom.xml", pom.formatted("2")))
                .hasSize(1);
    }

    @Test
    void module_that_is_not_built_is_found() {
        String pom = "<project><modules><module>a</module><!--<module>b</module>--></modules></project>";
        Stream<ModuleFolder> folders = Stream.of("a", "b").map(Path::of).map(ModuleFolder::new);
        assertThat(PomRules.modulesNotBuilt(pom, folders)).hasSize(1);
    }

    private List<String> excerpt(String from, String block) {
        var paper = new Markdown("README.md", "Text.\n\n<!-- from: " + from + " -->\n" + block + "\n");
        return DocumentRules.staleExcerpts(checkout(), paper).toList();
    }

    private static List<String> shape(String name, String text) {
        return DocumentRules.malformedDecision(TEMPLATE, new Markdown("docs/adr/" + name, text))
                .toList();
    }

    private Checkout checkout() {
        return new Checkout(folder);
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
