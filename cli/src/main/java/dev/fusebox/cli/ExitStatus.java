package dev.fusebox.cli;

/// How a command ended, as scripts see it.
enum ExitStatus {
    /// Done, and healthy.
    DONE(0),
    /// What was asked for failed.
    FAILED(1),
    /// Wrong usage or configuration; nothing was tried.
    USAGE(2),
    /// Ended by SIGINT, as a shell expects it to be told.
    INTERRUPTED(130);

    private final int code;

    ExitStatus(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
