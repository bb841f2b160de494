package dev.fusebox.config.edit;

import dev.fusebox.platform.files.FileSync;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A file that is replaced atomically: a reader, also after a crash or a loss of power, finds the
/// old one or the new one. What it held before is kept beside it, or in a folder that is named, unless that is not
/// wanted. Immutable; blocks as the disk does.
public final class AtomicFile {
    /// No configuration is that long.
    private static final int LONGEST = 16 << 20;

    private static final String TEMPORARY = ".fusebox.tmp";
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OWNERS_FOLDER = PosixFilePermissions.fromString("rwx------");

    /// Old contents that are kept, the first of all among them.
    private static final int KEPT = 5;

    private final Path path;
    private final byte @Nullable [] before;
    private final boolean isForOwnerOnly;

    /// @param path as it was named; a link stays, and what it leads to is exchanged
    /// @param before what it held when it was read; null if it was not there
    /// @param isForOwnerOnly whether only its owner may read what is written, whatever its rights were
    private AtomicFile(Path path, byte @Nullable [] before, boolean isForOwnerOnly) {
        this.path = path;
        this.before = before;
        this.isForOwnerOnly = isForOwnerOnly;
    }

    /// Reads a file, which need not be there.
    public static AtomicFile read(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return new AtomicFile(path, null, false);
        }
        if (!Files.isRegularFile(path)) {
            throw new IOException(path + " is not a regular file");
        }
        if (Files.size(path) > LONGEST) {
            throw new IOException(path + " is longer than " + LONGEST + " bytes, the limit for configuration files");
        }
        return new AtomicFile(path, Files.readAllBytes(path), false);
    }

    /// The same for a secret: what is written, and the copy of what was there, can be read by its owner only.
    public AtomicFile forOwnerOnly() {
        return new AtomicFile(path, before, true);
    }

    /// Whether users other than its owner may read it now.
    public boolean isReadableByOthers() throws IOException {
        PosixFileAttributeView rights = Files.getFileAttributeView(path, PosixFileAttributeView.class);
        if (before == null || rights == null) {
            return false;
        }
        Set<PosixFilePermission> present = rights.readAttributes().permissions();
        return present.contains(PosixFilePermission.GROUP_READ) || present.contains(PosixFilePermission.OTHERS_READ);
    }

    /// As it was named.
    public Path path() {
        return path;
    }

    /// Its content; nothing if it was not there.
    public byte[] content() {
        return before == null ? new byte[0] : before.clone();
    }

    /// Whether it was there when it was read.
    public boolean isThere() {
        return before != null;
    }

    /// Puts this in the place of what was read.
    ///
    /// @return where the old content is kept; null if there was none
    /// @throws IOException if that failed, or another program has changed the file since; then it is as it was
    public @Nullable Path replace(byte[] after) throws IOException {
        return replace(after, Copies.BESIDE);
    }

    /// The same with what was there in another folder, which only its owner can read.
    ///
    /// @param copies the folder
    /// @return where the old content is kept; null if there was none
    /// @throws IOException as [#replace(byte[])]
    public @Nullable Path replace(byte[] after, Path copies) throws IOException {
        return replace(after, new Copies(true, copies));
    }

    /// The same without a copy of what was there, which might be published with its folder.
    ///
    /// @throws IOException as [#replace(byte[])]
    public void replaceWithoutCopy(byte[] after) throws IOException {
        replace(after, Copies.NONE);
    }

    /// Where old contents are kept.
    ///
    /// @param areKept whether they are
    /// @param folder for them; null for that of the file
    private record Copies(boolean areKept, @Nullable Path folder) {
        static final Copies BESIDE = new Copies(true, null);
        static final Copies NONE = new Copies(false, null);

        /// The path of a file's copies but for its end. In another folder it tells files of one name apart.
        Path begin(Path target) {
            String path = target.toString();
            return folder == null
                    ? target
                    : folder.resolve(target.getFileName() + "-" + Integer.toHexString(path.hashCode()));
        }
    }

    private @Nullable Path replace(byte[] after, Copies copies) throws IOException {
        Path target = before == null ? path.toAbsolutePath() : path.toRealPath();
        Path folder = target.resolveSibling("");
        if (before == null) {
            Files.createDirectories(folder, rights(folder, OWNERS_FOLDER));
        }
        removeLeftOvers(folder, target);
        Path next =
                Files.createTempFile(folder, "." + target.getFileName() + ".", TEMPORARY, rights(target, OWNER_ONLY));
        try {
            FileSync.write(next, after);
            keepRights(target, next);
            Path kept = before == null || !copies.areKept() ? null : keep(target, before, copies);
            checkUnchanged(target);
            FileSync.rename(next, target);
            return kept;
        } finally {
            Files.deleteIfExists(next);
        }
    }

    /// Removes what one that was killed while it wrote has left beside the file.
    public void removeLeftOvers() throws IOException {
        Path target = before == null ? path.toAbsolutePath() : path.toRealPath();
        Path folder = target.resolveSibling("");
        if (Files.isDirectory(folder)) {
            removeLeftOvers(folder, target);
        }
    }

    private static void removeLeftOvers(Path folder, Path target) throws IOException {
        String begin = "." + target.getFileName() + ".";
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(each -> isLeftOver(each, begin)).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static boolean isLeftOver(Path file, String begin) {
        String name = String.valueOf(file.getFileName());
        return name.startsWith(begin) && name.endsWith(TEMPORARY);
    }

    /// None where the file system knows none.
    private static FileAttribute<?>[] rights(Path target, Set<PosixFilePermission> rights) {
        boolean hasRights = target.getFileSystem().supportedFileAttributeViews().contains("posix");
        return hasRights
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(rights)}
                : new FileAttribute<?>[0];
    }

    private void keepRights(Path from, Path to) throws IOException {
        PosixFileAttributeView rights = Files.getFileAttributeView(from, PosixFileAttributeView.class);
        if (before != null && rights != null && !isForOwnerOnly) {
            Files.setPosixFilePermissions(to, rights.readAttributes().permissions());
        }
    }

    private void checkUnchanged(Path target) throws IOException {
        boolean isThere = Files.exists(target);
        boolean isSame = before == null ? !isThere : isThere && Arrays.equals(before, Files.readAllBytes(target));
        if (!isSame) {
            throw new IOException(path + " was changed by another program meanwhile and is left as it is; try again");
        }
    }

    // ---- What it held before

    private Path keep(Path target, byte[] content, Copies copies) throws IOException {
        Path begin = copies.begin(target);
        if (copies.folder() != null) {
            Files.createDirectories(copies.folder(), rights(target, OWNERS_FOLDER));
        }
        for (int number = 1; ; number++) {
            Path copy = backup(begin, number);
            try {
                Files.createFile(copy, rights(target, OWNER_ONLY));
            } catch (FileAlreadyExistsException taken) {
                continue;
            }
            fill(copies.folder() == null ? target : null, copy, content);
            // The very first shows what there was before us; of the others the latest are of use.
            if (number > KEPT) {
                rotate(begin, number);
                return backup(begin, KEPT);
            }
            return copy;
        }
    }

    /// A copy that is not whole is none: it would look like what there was.
    ///
    /// @param like the file whose rights the copy gets; null if it is for its owner alone
    private void fill(@Nullable Path like, Path copy, byte[] content) throws IOException {
        boolean isWhole = false;
        try {
            FileSync.write(copy, content);
            if (like != null) {
                keepRights(like, copy);
            }
            isWhole = true;
        } finally {
            if (!isWhole) {
                Files.deleteIfExists(copy);
            }
        }
    }

    /// Removes copies beside the file that are no longer needed.
    ///
    /// @param isNeedless whether a copy with this content can go
    public void removeCopies(Predicate<byte[]> isNeedless) throws IOException {
        Path target = before == null ? path.toAbsolutePath() : path.toRealPath();
        for (int number = 1; number <= KEPT; number++) {
            Path copy = backup(target, number);
            if (Files.isRegularFile(copy, LinkOption.NOFOLLOW_LINKS) && isNeedless.test(Files.readAllBytes(copy))) {
                Files.deleteIfExists(copy);
            }
        }
    }

    private static void rotate(Path target, int newest) throws IOException {
        for (int number = 3; number <= newest; number++) {
            Path older = backup(target, number - 1);
            Files.move(backup(target, number), older, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static Path backup(Path target, int number) {
        return target.resolveSibling(target.getFileName() + ".before-fusebox-" + number);
    }
}
