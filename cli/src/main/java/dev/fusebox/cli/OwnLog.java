package dev.fusebox.cli;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.gateway.config.LogLevel;
import dev.fusebox.gateway.events.ConfigLog;
import dev.fusebox.protocol.VisibleText;
import dev.fusebox.world.Ticker;
import dev.fusebox.world.World;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;
import java.util.logging.Filter;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/// The gateway's own log on standard error: a line for each record, from a level on. Thread-safe; nothing blocks.
final class OwnLog {
    /// Kept, because a logger that nobody holds forgets its level.
    private static final Logger OURS = Logger.getLogger("dev.fusebox");

    private static volatile Redactor secrets = Redactor.NONE;

    private OwnLog() {}

    /// Keeps these out of it as well, from now on.
    static void hide(Redactor others) {
        secrets = secrets.and(others);
    }

    /// Holds what is at least as severe, from now on.
    static void from(LogLevel least) {
        Level level = level(least);
        OURS.setLevel(level);
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            handler.setLevel(level);
            handler.setFormatter(new OnOneLine());
        }
    }

    /// Has it written by a [Scribe] from now on, in the place of what writes else, so that nobody waits for whoever
    /// reads it; and has it say what has ended a thread. What comes after the scribe is closed is lost.
    static Scribe relay(World world, OutputStream out) {
        Scribe scribe = Scribe.to(world, out);
        Logger root = Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        root.addHandler(scribe);
        System.Logger log = System.getLogger(OwnLog.class.getName());
        Thread.setDefaultUncaughtExceptionHandler((thread, bug) ->
                log.log(System.Logger.Level.ERROR, "a thread ended, because of a bug: " + thread.getName(), bug));
        return scribe;
    }

    /// Tells each line to somebody else as well, until that is closed, the same once a minute like [#sayOnce]. The one
    /// who is told must not block.
    static Copy copyTo(Consumer<String> reader, Ticker ticker) {
        return new Copy(reader, news(ticker));
    }

    /// Keeps from the log what it has just said: of lines of the same words, from WARN on, one a minute is enough.
    static void sayOnce(Ticker ticker) {
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            handler.setFilter(news(ticker));
        }
    }

    /// Each who asks remembers for itself: what one was told the other has yet to hear. Whoever saves a file hears what
    /// became of it, each time.
    private static Filter news(Ticker ticker) {
        Once once = new Once(ticker);
        Formatter words = new SimpleFormatter();
        return record -> record.getLevel().intValue() < Level.WARNING.intValue()
                || ConfigLog.class.getName().equals(record.getLoggerName())
                || once.isNew(String.valueOf(words.formatMessage(record)));
    }

    /// Hands lines on. Thread-safe; nothing blocks.
    static final class Copy extends Handler implements AutoCloseable {
        private final Consumer<String> reader;
        private final Formatter words = new SimpleFormatter();

        private Copy(Consumer<String> reader, Filter news) {
            this.reader = reader;
            setFilter(news);
            OURS.addHandler(this);
        }

        @Override
        public void publish(LogRecord record) {
            if (isLoggable(record)) {
                reader.accept(secrets.hide(
                        OnOneLine.word(record.getLevel()) + " " + VisibleText.of(words.formatMessage(record))));
            }
        }

        @Override
        public void flush() {
            // Nothing waits here.
        }

        @Override
        public void close() {
            OURS.removeHandler(this);
        }
    }

    private static Level level(LogLevel least) {
        return switch (least) {
            case ERROR -> Level.SEVERE;
            case WARN -> Level.WARNING;
            case INFO -> Level.INFO;
            case DEBUG -> Level.FINE;
        };
    }

    /// When, how severe, and what.
    private static final class OnOneLine extends Formatter {
        @Override
        public String format(LogRecord record) {
            StringWriter line = new StringWriter();
            line.append(record.getInstant().truncatedTo(ChronoUnit.MILLIS).toString())
                    .append(' ')
                    .append(word(record.getLevel()))
                    .append(' ')
                    .append(VisibleText.line(formatMessage(record)))
                    .append(System.lineSeparator());
            Throwable thrown = record.getThrown();
            if (thrown != null) {
                thrown.printStackTrace(new PrintWriter(line, true));
            }
            return secrets.hide(VisibleText.of(line.toString()));
        }

        private static String word(Level level) {
            if (level.intValue() >= Level.SEVERE.intValue()) {
                return "ERROR";
            }
            if (level.intValue() >= Level.WARNING.intValue()) {
                return "WARN";
            }
            return level.intValue() >= Level.INFO.intValue() ? "INFO" : "DEBUG";
        }
    }
}
