package dev.fusebox.simulation.pipeline;

import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;

/// A call from the client's side.
///
/// @param tag unique in a simulation; sent to the server and returned with the response
/// @param client that makes the call
/// @param tool the called tool; those that begin with `read` may be called twice
/// @param retrySafety whether it may be sent a second time
record ClientCall(int tag, Object client, String tool, RetrySafety retrySafety) {
    Message.Request request() {
        String params = "{\"name\":\"" + tool + "\",\"arguments\":{\"tag\":" + tag + "}}";
        return Message.Request.of(JsonRpcFrames.request(RequestId.of(tag), "tools/call", params));
    }

    PipelineCall.Kind kind() {
        return new PipelineCall.Kind(tool, isRepeatable(), retrySafety);
    }

    private boolean isRepeatable() {
        return tool.startsWith("read");
    }

    boolean mayRunTwice() {
        return switch (retrySafety) {
            case SAFE -> isRepeatable();
            case ALWAYS -> true;
            case NEVER -> false;
        };
    }
}
