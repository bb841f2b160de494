package dev.fusebox.gateway.observe;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// The log output of a class while this is open, also what tests beside this one make it write: a test that counts
/// lines is `@Isolated`, or selects its own. Thread-safe.
public final class CapturedLog implements AutoCloseable {
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            records.add(record);
        }

        @Override
        public void flush() {
            // Nothing is buffered.
        }

        @Override
        public void close() {
            // Nothing to close.
        }
    };

    private CapturedLog(Logger logger) {
        this.logger = logger;
        logger.addHandler(handler);
    }

    public static CapturedLog of(Class<?> type) {
        return new CapturedLog(Logger.getLogger(type.getName()));
    }

    public List<String> lines() {
        return records.stream().map(LogRecord::getMessage).toList();
    }

    /// Those lines that contain a text.
    public List<String> lines(String text) {
        return lines().stream().filter(line -> line.contains(text)).toList();
    }

    /// Each line with its level as prefix.
    public List<String> levelled() {
        return records.stream()
                .map(record -> record.getLevel() + " " + record.getMessage())
                .toList();
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
