package dev.fusebox.gateway;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.config.LogLevel;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The log of the program that runs a gateway, as far as the gateway needs it. A gateway logs through
/// [System.Logger], with logger names that start with `dev.fusebox.`; where the records go is up to the program.
///
/// Implementations must be thread-safe and must not block.
public interface ProgramLog {
    /// A log that is left alone: secrets in messages are not hidden, the level is that of the program, and the
    /// gateway's log buffer has the lines of its servers only.
    ProgramLog UNTOUCHED = new ProgramLog() {
        @Override
        public void hide(Supplier<Redactor> secrets) {}

        @Override
        public void level(LogLevel level) {}

        @Override
        public Copy copyTo(Consumer<String> reader) {
            return () -> {};
        }
    };

    /// A copy that ends when it is closed.
    interface Copy extends AutoCloseable {
        @Override
        void close();
    }

    /// Hides the supplied secrets from now on, which change while the gateway runs.
    void hide(Supplier<Redactor> secrets);

    /// Sets the level that the configuration names.
    void level(LogLevel level);

    /// Passes each line to the reader until the copy is closed.
    Copy copyTo(Consumer<String> reader);
}
