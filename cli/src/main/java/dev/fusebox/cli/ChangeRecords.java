package dev.fusebox.cli;

import dev.fusebox.config.edit.AtomicFile;
import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.files.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The store of `init`'s change records: a record and the original content of each file. Only its owner can read
/// it, and version control ignores it. For one thread; blocks on disk I/O.
final class ChangeRecords {
    private static final String RECORD = ".json";
    private static final String CONTENT = ".before";

    /// The originals contain secrets, and a home may be in a work tree.
    private static final String IGNORED = "*\n";

    private static final String IGNORING = ".gitignore";

    private final Path folder;
    private final Platform platform;
    private int count;

    private ChangeRecords(Path folder, Platform platform) {
        this.folder = folder;
        this.platform = platform;
    }

    /// The store in `~/.fusebox/init`, or in `init` of FUSEBOX_HOME.
    ///
    /// @throws IOException if neither HOME nor FUSEBOX_HOME is set
    static ChangeRecords of(Platform platform) throws IOException {
        return new ChangeRecords(RunFolder.of(platform).path().resolveSibling("init"), platform);
    }

    /// `~/.fusebox/copies`, or `copies` in FUSEBOX_HOME: the folder for backups of files in work trees. Empty if
    /// neither HOME nor FUSEBOX_HOME is set.
    static Optional<Path> copies(Platform platform) throws IOException {
        Path folder;
        try {
            folder = RunFolder.of(platform).path().resolveSibling("copies");
        } catch (IOException nowhere) {
            return Optional.empty();
        }
        new PrivateFile(folder.resolve(IGNORING)).write(IGNORED.getBytes(StandardCharsets.UTF_8));
        return Optional.of(folder);
    }

    static String digest(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /// Records a pending change with the original content; both are on disk when this returns.
    ///
    /// @param client whose file it is; empty for our own configuration
    ChangeRecord begin(Optional<ClientFile> client, AtomicFile file, byte[] after, List<String> servers)
            throws IOException {
        count++;
        long millis = platform.wallClock().instant().toEpochMilli();
        String id = String.format(
                Locale.ROOT,
                "%015d-%05d-%d",
                millis,
                count,
                ProcessHandle.current().pid());
        Path path = file.path().toAbsolutePath();
        String before = file.isThere() ? digest(file.content()) : null;
        ChangeRecord record = new ChangeRecord(
                id, client, path, mode(path), before, digest(after), null, missing(path.getParent()), servers);
        new PrivateFile(folder.resolve(IGNORING)).write(IGNORED.getBytes(StandardCharsets.UTF_8));
        if (file.isThere()) {
            new PrivateFile(folder.resolve(id + CONTENT)).write(file.content());
        }
        write(record);
        return record;
    }

    void write(ChangeRecord record) throws IOException {
        new PrivateFile(folder.resolve(record.id() + RECORD))
                .write(record.json().getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable String mode(Path path) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
        return view == null || !Files.exists(path)
                ? null
                : PosixFilePermissions.toString(view.readAttributes().permissions());
    }

    /// The missing folders, the outermost first.
    private static List<Path> missing(@Nullable Path folder) {
        List<Path> missing = new ArrayList<>();
        for (Path each = folder; each != null && !Files.exists(each); each = each.getParent()) {
            missing.addFirst(each);
        }
        return missing;
    }

    /// All changes that have not been undone, the newest first.
    ///
    /// @throws IOException if a record is unreadable
    List<ChangeRecord> all() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<String> ids = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(RECORD))
                    .forEach(name -> ids.add(name.substring(0, name.length() - RECORD.length())));
        }
        ids.sort(Collections.reverseOrder());
        List<ChangeRecord> records = new ArrayList<>();
        for (String id : ids) {
            records.add(read(id));
        }
        return records;
    }

    private ChangeRecord read(String id) throws IOException {
        Path file = folder.resolve(id + RECORD);
        byte[] text = new PrivateFile(file).read();
        try {
            return ChangeRecord.parse(id, text == null ? new byte[0] : text);
        } catch (IOException spoilt) {
            throw new IOException(file + " " + spoilt.getMessage(), spoilt);
        }
    }

    /// The original content of the file.
    ///
    /// @throws IOException if it is missing or its digest differs
    byte[] content(ChangeRecord record) throws IOException {
        Path file = file(record);
        byte[] content = new PrivateFile(file).read();
        if (content == null || !digest(content).equals(record.before())) {
            throw new IOException(file + " is not the original content of " + record.file());
        }
        return content;
    }

    /// The file with the original content.
    Path file(ChangeRecord record) {
        return folder.resolve(record.id() + CONTENT);
    }

    /// Removes an undone change: its record first, because the original content is not used without it.
    void remove(ChangeRecord record) throws IOException {
        Files.deleteIfExists(folder.resolve(record.id() + RECORD));
        Files.deleteIfExists(file(record));
        if (hasNothingToHide()) {
            Files.deleteIfExists(folder.resolve(IGNORING));
            removeIfEmpty(folder);
        }
    }

    /// A killed run may have left original content without a record.
    private boolean hasNothingToHide() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.allMatch(file -> file.endsWith(IGNORING));
        }
    }

    /// Removes a folder if it is empty.
    ///
    /// @return whether the folder does not exist any more
    static boolean removeIfEmpty(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return true;
        }
        try (Stream<Path> files = Files.list(folder)) {
            if (files.findAny().isPresent()) {
                return false;
            }
        }
        Files.deleteIfExists(folder);
        return true;
    }
}
