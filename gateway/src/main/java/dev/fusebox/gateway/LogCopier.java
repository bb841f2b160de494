package dev.fusebox.gateway;

import dev.fusebox.gateway.observe.LogBuffer;
import dev.fusebox.gateway.observe.LogFileWriter;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A copier of the gateway's and its servers' log lines to files, which outlive the gateway. If files cannot be
/// written, it logs one warning and does nothing. Thread-safe; closing blocks for one second at most.
final class LogCopier implements AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(LogCopier.class);

    private final LogBuffer logBuffer;
    private final @Nullable LogFileWriter files;

    private LogCopier(LogBuffer logBuffer, @Nullable LogFileWriter files) {
        this.logBuffer = logBuffer;
        this.files = files;
    }

    /// @param hide removes secrets from a line
    static LogCopier of(Platform platform, LogBuffer logBuffer, UnaryOperator<String> hide) {
        try {
            LogFileWriter files = LogFileWriter.in(platform, GatewayHome.logFolder(platform), hide);
            logBuffer.copyTo(entry -> files.write(entry.toString()));
            return new LogCopier(logBuffer, files);
        } catch (IOException nowhere) {
            LOG.log(Level.WARNING, "cannot write log files: " + nowhere.getMessage());
            return new LogCopier(logBuffer, null);
        }
    }

    @Override
    public void close() {
        logBuffer.copyTo(entry -> {});
        if (files != null) {
            files.close();
        }
    }
}
