package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.util.function.Consumer;

/// The output of commands in this process, for tests. For one thread.
final class CapturedOutput {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CommandOutput output;

    CapturedOutput() {
        this(address -> {});
    }

    private CapturedOutput(Consumer<String> onAddress) {
        PrintStream shown = new PrintStream(out, true, UTF_8) {
            @Override
            public void println(String line) {
                super.println(line);
                if (line.startsWith("http")) {
                    onAddress.accept(line);
                }
            }
        };
        this.output = new CommandOutput(shown, new PrintStream(err, true, UTF_8), false);
    }

    /// The output before a person who opens each address on a line of its own.
    static CapturedOutput before(BrowserOfTest browser) {
        return new CapturedOutput(address -> browser.open(URI.create(address)));
    }

    /// The output of the next command, without that of the commands before.
    CommandOutput next() {
        out.reset();
        err.reset();
        return output;
    }

    String out() {
        return out.toString(UTF_8);
    }

    String err() {
        return err.toString(UTF_8);
    }
}
