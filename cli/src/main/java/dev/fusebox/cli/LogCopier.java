package dev.fusebox.cli;

import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.gateway.observe.LogBuffer;
import dev.fusebox.gateway.observe.LogFileWriter;
import dev.fusebox.gateway.observe.LogFolder;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Copies what a gateway and its servers log to files that outlive the gateway. If no files can be written, one
/// warning says so and the gateway runs without them. Thread-safe; closing blocks for a second at most.
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
            LogFileWriter files = LogFileWriter.in(platform, folder(platform), hide);
            logBuffer.copyTo(entry -> files.write(entry.toString()));
            return new LogCopier(logBuffer, files);
        } catch (IOException nowhere) {
            LOG.log(Level.WARNING, "log of this gateway not written to files: " + nowhere.getMessage());
            return new LogCopier(logBuffer, null);
        }
    }

    /// `~/.fusebox/log`, or `log` in what FUSEBOX_HOME names.
    static LogFolder folder(Platform platform) throws IOException {
        return new LogFolder(RunFolder.of(platform).path().resolveSibling("log"));
    }

    @Override
    public void close() {
        logBuffer.copyTo(entry -> {});
        if (files != null) {
            files.close();
        }
    }
}
