package dev.fusebox.platform;

/// Failure to read the process table for lack of a descriptor. May be temporary. Immutable.
public final class ProcessTableUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1;

    ProcessTableUnavailable(String what) {
        super(what + " exists but cannot be opened");
    }
}
