package dev.fusebox.config.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.platform.files.FileSync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A disk with room for very little, and a folder on it. Only the super-user gets one; tests of anybody else are
/// left out. Closing it takes it away.
public final class SmallDisk implements AutoCloseable {
    /// More than it has room for.
    public static final int TOO_MUCH = 200_000;

    private final Path place;

    private SmallDisk(Path place) {
        this.place = place;
    }

    /// Makes one.
    ///
    /// @param place a folder that is not there
    public static SmallDisk at(Path place) throws IOException {
        Files.createDirectory(place);
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place.toString()), "mounting is not allowed");
        return new SmallDisk(place);
    }

    public Path place() {
        return place;
    }

    /// Leaves no room at all.
    public void fill() throws IOException {
        Path filler = place.resolve("filler");
        IOException full = null;
        try {
            FileSync.write(Files.createFile(filler), new byte[TOO_MUCH]);
        } catch (IOException expected) {
            full = expected;
        }
        assertThat(full).isNotNull();
    }

    /// From now on nothing on it can be changed.
    public void freeze() {
        assertThat(run("mount", "-o", "remount,ro", place.toString())).isTrue();
    }

    private static boolean run(String... words) {
        try {
            return new ProcessBuilder(words)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .onExit()
                            .join()
                            .exitValue()
                    == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    @Override
    public void close() {
        assertThat(run("umount", "-l", place.toString())).isTrue();
    }
}
