package dev.fusebox.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// Compiles small sources that break a rule on purpose, and reads the classes.
final class Compiled {
    private Compiled() {}

    /// Each call has a new folder under the one given, so that one test may compile the same type twice.
    static JavaClasses classes(Path parent, String... sources) throws IOException {
        Path folder = Files.createTempDirectory(parent, "classes");
        var messages = new StringWriter();
        List<String> options = List.of("-proc:none", "-nowarn", "-d", folder.toString());
        var units = Stream.of(sources).map(SourceText::new).toList();
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(messages, null, null, options, null, units)
                .call();
        assertThat(compiled).as(messages.toString()).isTrue();
        return new ClassFileImporter().importPath(folder);
    }
}
