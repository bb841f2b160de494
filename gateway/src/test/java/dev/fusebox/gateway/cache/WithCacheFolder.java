package dev.fusebox.gateway.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A cache folder for each test, which does not exist yet, and sample content.
abstract class WithCacheFolder {
    static final byte[] OLD = "old ".repeat(20_000).getBytes(UTF_8);
    static final byte[] NEW = "new! ".repeat(20_000).getBytes(UTF_8);

    @TempDir
    Path home;

    Path path;
    CacheFolder folder;

    @BeforeEach
    void open() {
        path = home.resolve("cache");
        folder = new CacheFolder(path);
    }

    List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.toList();
        }
    }
}
