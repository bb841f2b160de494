package dev.fusebox.cli;

import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.gateway.diary.Diary;
import dev.fusebox.gateway.diary.DiaryFiles;
import dev.fusebox.world.Loggers;
import dev.fusebox.world.World;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What a gateway and its servers write, kept in files for a gateway whose standard error nobody reads. Where no file
/// can be had that is told once, and the gateway serves all the same. Thread-safe; closing blocks for a second at most.
final class Kept implements AutoCloseable {
    private static final System.Logger LOG = Loggers.of(Kept.class);

    private final Diary diary;
    private final @Nullable DiaryFiles files;

    private Kept(Diary diary, @Nullable DiaryFiles files) {
        this.diary = diary;
        this.files = files;
    }

    static Kept of(World world, Diary diary) {
        try {
            DiaryFiles files = DiaryFiles.in(world, folder(world));
            diary.copyTo(entry -> files.write(entry.toString()));
            return new Kept(diary, files);
        } catch (IOException | RuntimeException unusable) {
            LOG.log(Level.WARNING, "what this gateway writes is not kept: " + unusable.getMessage());
            return new Kept(diary, null);
        }
    }

    /// `~/.fusebox/log`, or `log` in what FUSEBOX_HOME names.
    static Path folder(World world) throws IOException {
        return RunFolder.of(world).path().resolveSibling("log");
    }

    @Override
    public void close() {
        diary.copyTo(entry -> {});
        if (files != null) {
            files.close();
        }
    }
}
