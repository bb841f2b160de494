package dev.fusebox.platform;

/// The process table cannot be read now, for lack of a descriptor. This may be temporary. Immutable.
public final class ProcessTableUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1;

    ProcessTableUnavailable(String what) {
        super(what + " exists but cannot be opened");
    }
}
