package dev.fusebox.world;

/// Processes cannot be looked at now, for want of a descriptor: who is there is not known. That may pass.
public final class ProcessesUnseen extends RuntimeException {
    private static final long serialVersionUID = 1;

    ProcessesUnseen(String what) {
        super(what + " is there and cannot be opened");
    }
}
