package dev.fusebox.cli;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.config.LogLevel;
import dev.fusebox.gateway.observe.ConfigLog;
import dev.fusebox.gateway.observe.UtcTimestamp;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Ticker;
import dev.fusebox.protocol.HiddenCharacters;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The gateway's log on standard error: one line for each record from a level on. Thread-safe; does not block.
///
/// It does not use `java.util.logging`, which searches every jar for a provider before its first record and takes
/// 20 ms of each start (docs/adr/0054).
final class GatewayLog {
    /// Limit on the lines of a stack trace in a copy, which has room for the last 500 lines.
    private static final int MAX_TRACE_LINES = 60;

    private static final List<Copy> COPIES = new CopyOnWriteArrayList<>();

    private static volatile Level least = Level.INFO;
    private static volatile Supplier<Redactor> secrets = () -> Redactor.NONE;
    private static volatile Predicate<Entry> isNew = entry -> true;
    private static volatile Consumer<Supplier<String>> out = GatewayLog::print;

    private GatewayLog() {}

    /// One log record.
    ///
    /// @param source the name of the logger
    record Entry(
            Instant at,
            Level level,
            String source,
            String text,
            @Nullable Throwable thrown) {}

    /// Installs this log as the backend of all loggers of this process.
    static void takeOver(Platform platform) {
        InstantSource clock = platform.wallClock();
        LazyLoggers.lookUpIn(name -> new GatewayLogger(name, clock));
    }

    /// Hides the supplied secrets from now on.
    static void hide(Supplier<Redactor> supplied) {
        secrets = supplied;
    }

    /// Sets the level.
    static void from(LogLevel level) {
        least = switch (level) {
            case ERROR -> Level.ERROR;
            case WARN -> Level.WARNING;
            case INFO -> Level.INFO;
            case DEBUG -> Level.DEBUG;
        };
    }

    /// Writes through an [AsyncLogWriter] from now on, so that no thread waits for the reader, and logs uncaught
    /// exceptions. Records after the writer is closed are lost.
    static AsyncLogWriter relay(Platform platform, OutputStream to) {
        AsyncLogWriter asyncLogWriter = AsyncLogWriter.to(platform, to);
        out = asyncLogWriter::write;
        System.Logger log = LazyLoggers.of(GatewayLog.class);
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, bug) -> log.log(Level.ERROR, "uncaught exception in thread " + thread.getName(), bug));
        return asyncLogWriter;
    }

    /// Passes each record to a second reader until the copy is closed, with repeats suppressed as in
    /// [#suppressRepeats]: one line, and the lines of its stack trace. The reader must not block.
    static Copy copyTo(Consumer<String> reader, Ticker ticker) {
        Copy copy = new Copy(reader, news(ticker));
        COPIES.add(copy);
        return copy;
    }

    /// Suppresses repeats: of identical messages from WARN on, one a minute is logged.
    static void suppressRepeats(Ticker ticker) {
        isNew = news(ticker);
    }

    /// A filter for repeats with its own memory, so that each reader sees the first occurrence. Results of
    /// configuration reloads are always logged.
    private static Predicate<Entry> news(Ticker ticker) {
        MessageThrottle messageThrottle = new MessageThrottle(ticker);
        return entry -> entry.level().getSeverity() < Level.WARNING.getSeverity()
                || ConfigLog.class.getName().equals(entry.source())
                || messageThrottle.isNew(entry.text());
    }

    static boolean isLogged(Level level) {
        return level != Level.OFF && level.getSeverity() >= least.getSeverity();
    }

    /// Writes a record.
    static void add(Entry entry) {
        if (isNew.test(entry)) {
            out.accept(() -> line(entry));
        }
        for (Copy copy : COPIES) {
            copy.add(entry);
        }
    }

    private static void print(Supplier<String> line) {
        System.err.print(line.get());
        System.err.flush();
    }

    /// Timestamp, level and text.
    private static String line(Entry entry) {
        StringWriter line = new StringWriter();
        line.append(UtcTimestamp.of(entry.at().truncatedTo(ChronoUnit.MILLIS)))
                .append(' ')
                .append(word(entry.level()))
                .append(' ')
                .append(HiddenCharacters.line(entry.text()))
                .append(System.lineSeparator());
        Throwable thrown = entry.thrown();
        if (thrown != null) {
            line.append(stackTrace(thrown));
        }
        return secrets.get().hide(HiddenCharacters.of(line.toString()));
    }

    private static String stackTrace(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace, true));
        return trace.toString();
    }

    private static String word(Level level) {
        if (level.getSeverity() >= Level.ERROR.getSeverity()) {
            return "ERROR";
        }
        if (level.getSeverity() >= Level.WARNING.getSeverity()) {
            return "WARN";
        }
        return level.getSeverity() >= Level.INFO.getSeverity() ? "INFO" : "DEBUG";
    }

    /// A copy of the log for a second reader. Thread-safe; does not block.
    static final class Copy implements AutoCloseable {
        private final Consumer<String> reader;
        private final Predicate<Entry> isNew;

        private Copy(Consumer<String> reader, Predicate<Entry> isNew) {
            this.reader = reader;
            this.isNew = isNew;
        }

        private void add(Entry entry) {
            if (isNew.test(entry)) {
                Redactor redactor = secrets.get();
                reader.accept(redactor.hide(word(entry.level()) + " " + HiddenCharacters.of(entry.text())));
                Throwable thrown = entry.thrown();
                if (thrown != null) {
                    redactor.hide(HiddenCharacters.of(stackTrace(thrown)))
                            .lines()
                            .limit(MAX_TRACE_LINES)
                            .forEach(reader);
                }
            }
        }

        @Override
        public void close() {
            COPIES.remove(this);
        }
    }
}
