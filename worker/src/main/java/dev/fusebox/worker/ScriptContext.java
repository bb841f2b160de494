package dev.fusebox.worker;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;

/// Where one script runs: globals of its own, seen by no other. For one thread.
///
/// @param hostFunctions what the script reaches of the worker
/// @param prelude what the worker reaches of the script
record ScriptContext(Context context, HostFunctions hostFunctions, Value prelude) implements AutoCloseable {
    /// Nothing of what was in it can be reached afterwards.
    @Override
    public void close() {
        context.close(true);
    }
}
