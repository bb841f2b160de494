package dev.fusebox.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// Words for failures of files, of which the JDK often says the path alone. Pure functions.
final class FileErrorText {
    private FileErrorText() {}

    /// What failed, with the path and the reason.
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
