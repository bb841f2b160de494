package dev.fusebox.cli;

import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/// Files for tests: a disk that fails is a bug of the test.
final class Disk {
    private Disk() {}

    static String read(Path file) {
        return done(() -> Files.readString(file));
    }

    static void write(Path file, String text, boolean executable) {
        make(file.resolveSibling("."));
        done(() -> Files.writeString(file, text));
        done(() -> Files.setPosixFilePermissions(file, fromString(executable ? "rwxr-xr-x" : "rw-r--r--")));
    }

    static void make(Path folder) {
        done(() -> Files.createDirectories(folder.normalize()));
    }

    static void link(Path from, Path to) {
        done(() -> Files.createSymbolicLink(from, to));
    }

    static void delete(Path file) {
        done(() -> {
            Files.delete(file);
            return file;
        });
    }

    static void copy(Path from, Path to) {
        make(to.resolveSibling("."));
        done(() -> Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES));
    }

    static void touch(Path file, int minutesAgo) {
        FileTime time = FileTime.from(Instant.now().minusSeconds(60L * minutesAgo));
        done(() -> Files.setLastModifiedTime(file, time));
    }

    static List<String> namesIn(Path folder) {
        return done(() -> {
            try (Stream<Path> children = Files.list(folder)) {
                return children.map(path -> folder.relativize(path).toString()).toList();
            }
        });
    }

    static Stream<Path> everything(Path under) {
        return done(() -> {
            try (Stream<Path> walk = Files.walk(under)) {
                return walk.toList().stream();
            }
        });
    }

    private static <T> T done(Callable<T> action) {
        try {
            return action.call();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
