package dev.fusebox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.CircuitBreaker;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The Java snippets of the README, compiled for Java 17 in a project with the library alone.
@Tag("process")
class ReadmeSnippetTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java *\\n(.*?)^```");
    private static final Pattern TYPE = Pattern.compile("(?m)^public (?:final )?(?:class|record|interface) (\\w+)");
    private static final int LONGEST_RUN_S = 30;

    @TempDir
    private Path project;

    private static List<String> snippets() throws IOException {
        String readme = Files.readString(Path.of("..", "README.md"));
        return BLOCK.matcher(readme).results().map(block -> block.group(1)).toList();
    }

    private static String nameIn(String snippet) {
        List<String> names = TYPE.matcher(snippet)
                .results()
                .map((MatchResult type) -> type.group(1))
                .toList();
        assertThat(names).as("public types of\n" + snippet).hasSize(1);
        return names.get(0);
    }

    /// The library alone, as a jar or a folder of classes.
    private static String library() throws URISyntaxException {
        return Path.of(CircuitBreaker.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
    }

    private void compile(String snippet) throws IOException, URISyntaxException {
        Path file = project.resolve(nameIn(snippet) + ".java");
        Files.writeString(file, snippet);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var said = new StringWriter();
        List<String> options =
                List.of("--release", "17", "-Xlint:all", "-Werror", "-cp", library(), "-d", project.toString());
        try (var files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean isGood = compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(file))
                    .call();
            assertThat(isGood).as(said + "\nin\n" + snippet).isTrue();
        }
    }

    private List<String> run(String name) throws IOException, InterruptedException, URISyntaxException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path printed = project.resolve("printed");
        Process process = new ProcessBuilder(java, "-cp", library() + File.pathSeparator + project, name)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            assertThat(process.waitFor(LONGEST_RUN_S, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(printed);
    }

    @Test
    void every_java_snippet_of_readme_compiles_on_java_17() throws Exception {
        assertThat(snippets()).isNotEmpty();
        for (String snippet : snippets()) {
            compile(snippet);
        }
    }

    @Test
    @Timeout(60)
    void first_snippet_shows_five_failures_and_rejection() throws Exception {
        String first = snippets().get(0);
        compile(first);

        List<String> lines = new ArrayList<>(run(nameIn(first)));

        assertThat(lines).hasSize(6);
        String last = lines.remove(5);
        assertThat(lines).allMatch(line -> line.endsWith("failed: no connection for BZ-1234"));
        assertThat(last).matches("Circuit breaker 'jira' is open after 5 failures; retry in \\d+ s");
    }
}
