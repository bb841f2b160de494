package dev.fusebox.oauth.token;

import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.files.PrivateFile;
import dev.fusebox.platform.files.PrivateFolder;
import dev.fusebox.platform.files.TemporaryFile;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Token store in a folder: one file for each record, readable by its owner only and replaced atomically, and a
/// lock file beside it. Thread-safe; blocks on disk access.
public final class FileTokenStore implements TokenStore {
    private static final System.Logger LOG = LazyLoggers.of(FileTokenStore.class);

    /// Tokens of most servers are shorter.
    private static final int MIN_RESERVE = 32 << 10;

    private final Path folder;
    private final String suffix;
    private final Pattern names;

    /// @param folder which need not exist
    public FileTokenStore(Path folder) {
        this(folder, ".json");
    }

    /// @param suffix of the names of its files, which distinguishes them from those of other stores in the folder
    FileTokenStore(Path folder, String suffix) {
        this.folder = folder;
        this.suffix = suffix;
        this.names = Pattern.compile("[0-9a-f]{64}" + Pattern.quote(suffix));
    }

    private Path file(TokenKey key) {
        return folder.resolve(key.hash() + suffix);
    }

    /// Whether there is a file for this key, readable or not.
    boolean isPresent(TokenKey key) {
        return Files.exists(file(key), LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public @Nullable TokenRecord read(TokenKey key) throws IOException {
        TokenRecord found = read(file(key));
        if (found != null) {
            requireOwn(found, file(key));
        }
        return found;
    }

    /// A record is found by its key, and has one place.
    private void requireOwn(TokenRecord found, Path file) throws IOException {
        if (!file(found.key()).equals(file)) {
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

    /// An intent also reserves the space for the result of its request: a disk that is full by then would cost the
    /// login.
    @Override
    public void write(TokenRecord tokenRecord) throws IOException {
        byte[] content = TokenRecordJson.write(tokenRecord);
        Path reserve = reserve(tokenRecord.key());
        if (tokenRecord.state() instanceof TokenState.Refreshing) {
            new PrivateFile(reserve).write(new byte[Math.max(MIN_RESERVE, 3 * content.length)]);
        } else {
            Files.deleteIfExists(reserve);
        }
        new PrivateFile(file(tokenRecord.key())).write(content);
    }

    private Path reserve(TokenKey key) {
        return folder.resolve(key.hash() + ".reserve");
    }

    @Override
    public void remove(TokenKey key) throws IOException {
        Files.deleteIfExists(file(key));
        Files.deleteIfExists(reserve(key));
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
            if (names.matcher(file.getFileName().toString()).matches()) {
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
        return FileLocks.tryLock(folder.resolve(key.hash() + ".lock"));
    }
}
