package dev.fusebox.gateway.execute;

import dev.fusebox.client.Caller;
import dev.fusebox.client.ForwardingCaller;

/// The caller of one call within a script. Progress of the call is not progress of the script, and concurrent
/// calls would interfere, so it is dropped; everything else is passed to the client.
final class ScriptCaller extends ForwardingCaller {
    ScriptCaller(Caller client) {
        super(client);
    }

    @Override
    public void progress(byte[] frame) {
        // The client asked for progress of its script, not of this call.
    }
}
