package dev.fusebox.cli;

import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.gateway.diary.Diary;
import dev.fusebox.gateway.diary.DiaryFiles;
import dev.fusebox.gateway.diary.LogFolder;
import dev.fusebox.world.Loggers;
import dev.fusebox.world.World;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Copies what a gateway and its servers log to files that outlive the gateway. If no files can be written, one warning
/// says so and the gateway runs without them. Thread-safe; closing blocks for a second at most.
final class Kept implements AutoCloseable {
    private static final System.Logger LOG = Loggers.of(Kept.class);

    private final Diary diary;
    private final @Nullable DiaryFiles files;

    private Kept(Diary diary, @Nullable DiaryFiles files) {
        this.diary = diary;
        this.files = files;
    }

    /// @param hide removes secrets from a line
    static Kept of(World world, Diary diary, UnaryOperator<String> hide) {
        try {
            DiaryFiles files = DiaryFiles.in(world, folder(world), hide);
            diary.copyTo(entry -> files.write(entry.toString()));
            return new Kept(diary, files);
        } catch (IOException nowhere) {
            LOG.log(Level.WARNING, "log of this gateway not written to files: " + nowhere.getMessage());
            return new Kept(diary, null);
        }
    }

    /// `~/.fusebox/log`, or `log` in what FUSEBOX_HOME names.
    static LogFolder folder(World world) throws IOException {
        return new LogFolder(RunFolder.of(world).path().resolveSibling("log"));
    }

    @Override
    public void close() {
        diary.copyTo(entry -> {});
        if (files != null) {
            files.close();
        }
    }
}
