package dev.fusebox.worker;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;

/// The context of one script, with globals of its own that no other script sees. For one thread.
///
/// @param hostFunctions the functions of the worker that the script can reach
/// @param prelude the functions of the script that the worker can call
record ScriptContext(Context context, HostFunctions hostFunctions, Value prelude) implements AutoCloseable {
    /// Nothing in it can be reached afterwards.
    @Override
    public void close() {
        context.close(true);
    }
}
