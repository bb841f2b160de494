package dev.fusebox.platform;

import java.util.ResourceBundle;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Factory of loggers that are looked up on first use. `System.getLogger` searches every jar of the module path
/// for a provider; a start that logs nothing saves that time. Thread-safe; never blocks.
public final class LazyLoggers {
    private static volatile Function<String, System.Logger> source = System::getLogger;

    private LazyLoggers() {}

    /// The logger with the name of this class.
    public static System.Logger of(Class<?> owner) {
        return of(owner.getName());
    }

    public static System.Logger of(String name) {
        return new LazyLogger(name);
    }

    /// Sets the source of loggers. Loggers that were used before keep their delegate.
    public static void lookUpIn(Function<String, System.Logger> other) {
        source = other;
    }

    /// Looked up twice, with the same result, if two threads use it first at the same time.
    private static final class LazyLogger implements System.Logger {
        private final String name;
        private volatile System.@Nullable Logger found;

        LazyLogger(String name) {
            this.name = name;
        }

        private System.Logger found() {
            System.Logger logger = found;
            if (logger == null) {
                logger = source.apply(name);
                found = logger;
            }
            return logger;
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return found().isLoggable(level);
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String text, @Nullable Throwable thrown) {
            found().log(level, bundle, text, thrown);
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... parameters) {
            found().log(level, bundle, format, parameters);
        }
    }
}
