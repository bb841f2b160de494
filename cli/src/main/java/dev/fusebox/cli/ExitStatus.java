package dev.fusebox.cli;

/// The exit code of a command.
enum ExitStatus {
    /// Done and healthy.
    DONE(0),
    /// The requested action failed.
    FAILED(1),
    /// Usage or configuration error; nothing was tried.
    USAGE(2),
    /// Ended by SIGINT, as shells report it.
    INTERRUPTED(130);

    private final int code;

    ExitStatus(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
