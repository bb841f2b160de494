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

/// The token of those who may change something over TCP: a file that only its owner can read, which all gateways of a
/// user share and the first of them makes. Blocks as long as the file system does.
///
/// A file that others could have made, read or written is no token: then there is none, and nothing can be changed over
/// TCP.
public final class AdminToken {
    private static final String NAME = "admin.token";
    private static final String PERMISSIONS = "rw-------";
    private static final int BYTES = 32;
    private static final long LONGEST = 1_024;
    private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9_-]{22,512}");

    private AdminToken() {}

    /// Reads it, or makes it if there is none.
    ///
    /// @param secrets whose numbers nobody can guess
    /// @throws IOException if there is none to be had; the message says why and what to do
    public static String of(RunFolder folder, RandomGenerator secrets) throws IOException {
        Path file = folder.path().resolve(NAME);
        Path draft = Files.createTempFile(
                folder.path(),
                NAME,
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

    /// A link appears whole or not at all, and never in the place of another file.
    private static void publish(Path draft, Path file) throws IOException {
        try {
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException isThere) {
            // Another gateway of this user was first, or somebody was: that is looked at when it is read.
            return;
        }
    }

    /// @param ours a file that we have just made, and whose owner so is us
    private static String read(Path file, Path ours) throws IOException {
        PosixFileAttributes found = Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        boolean isOurs = found.owner().equals(Files.getOwner(ours, LinkOption.NOFOLLOW_LINKS));
        if (!found.isRegularFile() || !isOurs) {
            throw new IOException(file + " is not a file of this user's; remove it");
        }
        if (!PosixFilePermissions.toString(found.permissions()).equals(PERMISSIONS)) {
            throw new IOException(
                    file + " could be read by others; remove it, and the next gateway that starts makes a new one");
        }
        String text = found.size() > LONGEST
                ? ""
                : Files.readString(file, StandardCharsets.UTF_8).strip();
        if (!TEXT.matcher(text).matches()) {
            throw new IOException(
                    file + " holds no token; remove it, and the next gateway that starts makes a new one");
        }
        return text;
    }
}
