package dev.fusebox.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// Messages for file errors, for which the JDK often reports only the path. Stateless.
final class FileErrorText {
    private FileErrorText() {}

    /// The reason and the path.
    static String text(IOException failed) {
        boolean isBare = failed instanceof FileSystemException file && file.getReason() == null;
        return isBare ? reason(failed) + ": " + failed.getMessage() : String.valueOf(failed.getMessage());
    }

    private static String reason(IOException failed) {
        if (failed instanceof AccessDeniedException) {
            return "permission denied; this user must be able to read and write this file and its folder";
        }
        return failed instanceof NoSuchFileException
                ? "no such file"
                : failed.getClass().getSimpleName();
    }
}
