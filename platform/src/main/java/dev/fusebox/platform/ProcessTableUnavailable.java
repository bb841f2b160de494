package dev.fusebox.platform;

/// Processes cannot be looked at now, for want of a descriptor: who is there is not known. That may pass.
public final class ProcessTableUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1;

    ProcessTableUnavailable(String what) {
        super(what + " is there and cannot be opened");
    }
}
