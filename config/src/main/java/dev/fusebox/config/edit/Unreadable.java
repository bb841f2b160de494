package dev.fusebox.config.edit;

/// A file is not what it should be, and so it is left alone. Its message follows the name of the file.
public final class Unreadable extends Exception {
    private static final long serialVersionUID = 1;

    public Unreadable(String message) {
        super(message);
    }
}
