package dev.fusebox.platform;

/// A scheduled action that can be cancelled. Thread-safe; never blocks.
@FunctionalInterface
public interface Timer {
    /// Cancels the action. Returns true if this call kept it from running; false if it has run, is running, or was
    /// already cancelled. A running action is neither interrupted nor waited for.
    boolean cancel();
}
