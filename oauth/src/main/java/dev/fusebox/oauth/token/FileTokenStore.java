package dev.fusebox.oauth.token;

import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.files.PrivateFile;
import dev.fusebox.platform.files.PrivateFolder;
import dev.fusebox.platform.files.TemporaryFile;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Token store in a folder: one file for each record, readable by its owner only and replaced atomically, and a
/// lock file beside it. Thread-safe; blocks on disk access.
public final class FileTokenStore implements TokenStore {
    private static final System.Logger LOG = LazyLoggers.of(FileTokenStore.class);

    private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}\\.json");

    private final Path folder;

    /// @param folder which need not exist
    public FileTokenStore(Path folder) {
        this.folder = folder;
    }

    private Path path(TokenKey key, String suffix) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(key.identity().getBytes(StandardCharsets.UTF_8));
            return folder.resolve(HexFormat.of().formatHex(hash) + suffix);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    @Override
    public @Nullable TokenRecord read(TokenKey key) throws IOException {
        TokenRecord found = read(path(key, ".json"));
        if (found != null) {
            requireOwn(found, path(key, ".json"));
        }
        return found;
    }

    /// A record is found by its key, and has one place.
    private void requireOwn(TokenRecord found, Path file) throws IOException {
        if (!path(found.key(), ".json").equals(file)) {
            throw new IOException(file + " is the record of another login; delete it");
        }
    }

    private static @Nullable TokenRecord read(Path path) throws IOException {
        byte[] content = new PrivateFile(path).readSecret();
        try {
            return content == null ? null : TokenRecordJson.read(content);
        } catch (IOException unusable) {
            throw new IOException(path + " " + unusable.getMessage() + "; delete it to log in again", unusable);
        }
    }

    @Override
    public void write(TokenRecord tokenRecord) throws IOException {
        new PrivateFile(path(tokenRecord.key(), ".json")).write(TokenRecordJson.write(tokenRecord));
    }

    @Override
    public void remove(TokenKey key) throws IOException {
        Files.deleteIfExists(path(key, ".json"));
    }

    /// Also deletes what killed writers have left, which contains tokens.
    @Override
    public List<TokenRecord> all() throws IOException {
        List<TokenRecord> all = new ArrayList<>();
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return all;
        }
        List<Path> files;
        try (Stream<Path> listed = Files.list(folder)) {
            files = listed.sorted().toList();
        }
        sweep(files);
        for (Path file : files) {
            if (NAME.matcher(file.getFileName().toString()).matches()) {
                addReadable(file, all);
            }
        }
        return all;
    }

    private static void sweep(List<Path> files) throws IOException {
        for (Path file : files) {
            if (TemporaryFile.isOrphan(file)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private void addReadable(Path file, List<TokenRecord> all) {
        try {
            TokenRecord found = read(file);
            if (found != null) {
                requireOwn(found, file);
                all.add(found);
            }
        } catch (IOException unusable) {
            LOG.log(Level.WARNING, "a stored login is not used: " + unusable.getMessage());
        }
    }

    @Override
    public @Nullable Lock tryLock(TokenKey key) throws IOException {
        PrivateFolder.made(folder);
        return FileLocks.tryLock(path(key, ".lock"));
    }
}
