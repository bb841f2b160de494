package dev.fusebox.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A capture of an example's output.
final class Printed {
    /// An example that prints to a given stream.
    interface Example {
        void run(PrintStream out) throws Exception;
    }

    private Printed() {}

    static List<String> linesOf(Example example) throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            example.run(out);
        }
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
