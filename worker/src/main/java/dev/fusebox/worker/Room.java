package dev.fusebox.worker;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;

/// Where one script runs: globals of its own, seen by no other. For one thread.
///
/// @param prelude a function that takes the worker's side and gives back the script's
record Room(Context context, Value prelude) implements AutoCloseable {
    /// Nothing of what was in it can be reached afterwards.
    @Override
    public void close() {
        context.close(true);
    }
}
