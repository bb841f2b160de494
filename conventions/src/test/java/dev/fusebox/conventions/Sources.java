package dev.fusebox.conventions;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/// A parser of Java sources that uses the compiler without compiling. Thread-safe; parsing blocks.
final class Sources {
    private Sources() {}

    /// Every hand-written Java source of the checkout, main and test, parsed once.
    static List<Source> ofTheCheckout() {
        return Holder.ALL;
    }

    /// For sources in memory.
    static List<Source> parse(String... texts) {
        return parse(Path.of("/").toUri(), Stream.of(texts).map(SourceText::new).toList());
    }

    private static List<Source> parse(URI root, Iterable<? extends JavaFileObject> files) {
        var problems = new DiagnosticCollector<JavaFileObject>();
        var task = (JavacTask)
                ToolProvider.getSystemJavaCompiler().getTask(null, null, problems, List.of("-proc:none"), null, files);
        try {
            var sources = new ArrayList<Source>();
            DocTrees trees = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                JavaFileObject file = unit.getSourceFile();
                String name = file.toUri().getPath().substring(root.getPath().length());
                sources.add(new Source(name, file.getCharContent(true).toString(), unit, trees));
            }
            refuse(problems.getDiagnostics());
            return List.copyOf(sources);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void refuse(List<? extends Diagnostic<?>> problems) {
        for (Diagnostic<?> problem : problems) {
            if (problem.getKind() == Diagnostic.Kind.ERROR) {
                throw new IllegalArgumentException("cannot be parsed: " + problem);
            }
        }
    }

    private static final class Holder {
        static final List<Source> ALL = read();

        private static List<Source> read() {
            Checkout here = Checkout.HERE;
            var files = ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, null);
            return parse(here.root().toUri(), files.getJavaFileObjectsFromPaths(here.textFiles(".java")));
        }
    }
}
