package dev.fusebox.gateway.admin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/// A file with a token in the run folder: only its owner can read it, all gateways of a user share it, and the first
/// that needs it creates it. A file that other users could have created, read or written is rejected. Immutable;
/// blocks on file system access.
///
/// @param name of the file
record TokenFile(String name) {
    private static final String PERMISSIONS = "rw-------";
    private static final int BYTES = 32;
    private static final long MAX_LENGTH = 1_024;
    private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9_-]{22,512}");

    /// Reads the token, or creates it if there is none.
    ///
    /// @param secrets a source of unguessable numbers
    /// @throws IOException if there is no usable token; the message has the cause and the remedy
    String of(RunFolder folder, RandomGenerator secrets) throws IOException {
        Path file = folder.path().resolve(name);
        Path draft = Files.createTempFile(
                folder.path(),
                name,
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PERMISSIONS)));
        try {
            byte[] bytes = new byte[BYTES];
            secrets.nextBytes(bytes);
            Files.writeString(draft, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + "\n");
            publish(draft, file);
            return read(file, draft);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /// A link appears completely or not at all, and never replaces another file.
    private static void publish(Path draft, Path file) throws IOException {
        try {
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException isThere) {
            // Another gateway of this user or another process was first; the file is checked when it is read.
            return;
        }
    }

    /// @param ours a file that was just created, whose owner is this user
    private static String read(Path file, Path ours) throws IOException {
        PosixFileAttributes found = Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        boolean isOurs = found.owner().equals(Files.getOwner(ours, LinkOption.NOFOLLOW_LINKS));
        if (!found.isRegularFile() || !isOurs) {
            throw new IOException(file + " does not belong to this user; remove it");
        }
        if (!PosixFilePermissions.toString(found.permissions()).equals(PERMISSIONS)) {
            throw new IOException(
                    file + " is readable by other users; remove it, and the next gateway to start creates a new one");
        }
        String text = found.size() > MAX_LENGTH
                ? ""
                : Files.readString(file, StandardCharsets.UTF_8).strip();
        if (!TEXT.matcher(text).matches()) {
            throw new IOException(
                    file + " contains no token; remove it, and the next gateway to start creates a new one");
        }
        return text;
    }
}
