package dev.fusebox.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/// A compiler of small sources that violate a rule on purpose. Thread-safe; blocks for each compilation.
final class Compiled {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    /// Shared: each new one opens the class library of the JDK again, which takes longer than compiling.
    private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

    private Compiled() {}

    static JavaClasses classes(Path parent, String... sources) throws IOException {
        return new ClassFileImporter().importPath(into(parent, sources));
    }

    /// Each call uses a new folder under the given one, so that one test may compile the same type twice. One call
    /// at a time: the file manager has one folder for classes.
    static synchronized Path into(Path parent, String... sources) throws IOException {
        Path folder = Files.createTempDirectory(parent, "classes");
        var messages = new StringWriter();
        var units = Stream.of(sources).map(SourceText::new).toList();
        FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(folder));
        boolean compiled = COMPILER.getTask(messages, FILES, null, List.of("-proc:none", "-nowarn"), null, units)
                .call();
        assertThat(compiled).as(messages.toString()).isTrue();
        return folder;
    }
}
