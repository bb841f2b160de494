package dev.fusebox.platform;

/// An action that waits for its time, and can be called off. Thread-safe; never blocks.
@FunctionalInterface
public interface Timer {
    /// Calls the action off. True if this call kept it from running; false if it has run, is running, or was
    /// called off before. A running action is neither interrupted nor waited for.
    boolean cancel();
}
