package dev.fusebox.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the files that a release publishes to Maven Central, without the signatures, and of a user's project
/// that gets the library from there.
///
/// Takes over five seconds: three builds with Maven.
/// Over five seconds: three builds with Maven.
@Tag("process")
class ReleaseTest {
    private static final String ADDRESS = "https://fusebox.example/source";
    private static final Pattern VERSION = Pattern.compile("<artifactId>fusebox</artifactId>\\s*<version>([^<]+)<");
    private static final Pattern SNIPPET = Pattern.compile("(?ms)^```java *\\n(import .*?public class (\\w+).*?)^```");

    /// The library, the testkit, and the dependency of the testkit.
    private static final List<String> PUBLISHED = List.of("breaker", "platform", "testkit");

    @TempDir
    private static Path folder;

    private static ReleaseBuild build;
    private static String version;

    @BeforeAll
    static void release() throws IOException, InterruptedException {
        version = found(VERSION, Checkout.read(Checkout.HERE.root().resolve("pom.xml")));
        build = ReleaseBuild.in(folder, PUBLISHED);
        ReleaseBuild.Ended ended =
                build.release("install", "-Dgpg.skip", "-Dfusebox.url=" + ADDRESS, "-pl", "breaker,testkit", "-am");
        assertThat(ended.code()).as(ended.printed()).isZero();
    }

    @AfterAll
    static void unlink() throws IOException {
        build.unlink();
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(pattern + " in " + text).isTrue();
        return matcher.group(1);
    }

    private static Path file(String module, String ending) {
        return build.installed("fusebox-" + module, version, ending);
    }

    private static List<String> entriesOf(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.stream().map(entry -> entry.getName()).toList();
        }
    }

    private static Optional<Path> java17() {
        return Optional.ofNullable(System.getProperty("fusebox.jdk17.home")).map(Path::of);
    }

    @ParameterizedTest
    @CsvSource({"breaker,CircuitBreaker", "platform,Platform", "testkit,ManualTime"})
    void published_module_has_classes_sources_and_javadoc(String module, String type) throws IOException {
        String name = "dev.fusebox." + module;
        String path = name.replace('.', '/') + "/" + type;
        assertThat(entriesOf(file(module, ".jar"))).contains("module-info.class", path + ".class");
        assertThat(entriesOf(file(module, "-sources.jar"))).contains("module-info.java", path + ".java");
        assertThat(entriesOf(file(module, "-javadoc.jar"))).contains("index.html", name + "/" + path + ".html");
    }

    @ParameterizedTest
    @ValueSource(strings = {"breaker", "platform", "testkit"})
    void published_pom_is_self_contained(String module) {
        String pom = Checkout.read(file(module, ".pom"));
        assertThat(pom).doesNotContain("<parent>", "${", "<scope>test<", "<modules>");
        assertThat(pom)
                .contains(
                        "<groupId>dev.fusebox</groupId>",
                        "<version>" + version + "</version>",
                        "<url>" + ADDRESS + "</url>",
                        "<connection>scm:git:" + ADDRESS + "</connection>",
                        "<developerConnection>scm:git:" + ADDRESS + "</developerConnection>");
        for (String element : List.of("name", "description", "licenses", "license", "developers", "developer", "scm")) {
            assertThat(pom).containsPattern("<" + element + "[ >]");
        }
    }

    @Test
    void pom_of_the_library_has_no_runtime_dependencies() {
        String pom = Checkout.read(file("breaker", ".pom"));
        assertThat(pom.split("<dependency>", -1)).hasSize(2);
        assertThat(pom).contains("<artifactId>jspecify</artifactId>", "<scope>provided</scope>");
    }

    @Test
    void release_without_the_repository_url_is_rejected() throws Exception {
        ReleaseBuild.Ended ended = build.release("validate", "-N");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.printed()).contains("fusebox.url is missing", "-Dfusebox.url=https://");
    }

    /// With a JDK 17, if this build has one.
    @Test
    void readme_example_compiles_and_runs_in_a_new_project() throws Exception {
        Matcher snippet = SNIPPET.matcher(Checkout.read(Checkout.HERE.root().resolve("README.md")));
        assertThat(snippet.find()).isTrue();
        String type = snippet.group(2);
        Path project = Files.createDirectories(folder.resolve("project"));
        Path sources = Files.createDirectories(project.resolve("src/main/java"));
        Files.writeString(sources.resolve(type + ".java"), snippet.group(1));
        Files.writeString(project.resolve("pom.xml"), pom());
        Path java = java17().orElse(Path.of(System.getProperty("java.home")));

        ReleaseBuild.Ended compiled = build.maven(project, java, List.of("compile"));

        assertThat(compiled.code()).as(compiled.printed()).isZero();
        String path = project.resolve("target/classes") + File.pathSeparator + file("breaker", ".jar");
        ReleaseBuild.Ended ended =
                build.run(project, List.of(java.resolve("bin/java").toString(), "-cp", path, type), Map.of());
        assertThat(ended.code()).as(ended.printed()).isZero();
        assertThat(ended.printed()).contains("Circuit breaker 'jira' is open after 5 failures; retry in ");
    }

    /// With the plugins that this build has downloaded anyway.
    private static String pom() {
        String root = Checkout.read(Checkout.HERE.root().resolve("pom.xml"));
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.example</groupId>
                  <artifactId>fresh</artifactId>
                  <version>1</version>
                  <properties>
                    <maven.compiler.release>17</maven.compiler.release>
                    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                  </properties>
                  <dependencies>
                    <dependency>
                      <groupId>dev.fusebox</groupId>
                      <artifactId>fusebox-breaker</artifactId>
                      <version>%s</version>
                    </dependency>
                  </dependencies>
                  <build>
                    <plugins>
                      <plugin><artifactId>maven-compiler-plugin</artifactId><version>%s</version></plugin>
                      <plugin><artifactId>maven-resources-plugin</artifactId><version>%s</version></plugin>
                    </plugins>
                  </build>
                </project>
                """.formatted(
                        version,
                        found(Pattern.compile("<compiler-plugin.version>([^<]+)<"), root),
                        found(Pattern.compile("<resources-plugin.version>([^<]+)<"), root));
    }
}
