package dev.fusebox.simulation.lane;

import dev.fusebox.client.lane.LaneCall;
import dev.fusebox.client.lane.Replay;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;

/// A call as its client sees it.
///
/// @param tag unique in a simulation; goes to the server and comes back with the answer
/// @param client whose call it is
/// @param tool which it calls; those that begin with `read` may be called twice
/// @param replay what may be sent a second time
record Errand(int tag, Object client, String tool, Replay replay) {
    Message.Request request() {
        String params = "{\"name\":\"" + tool + "\",\"arguments\":{\"tag\":" + tag + "}}";
        return Message.Request.of(JsonRpcFrames.request(RequestId.of(tag), "tools/call", params));
    }

    LaneCall.Kind kind() {
        return new LaneCall.Kind(tool, isRepeatable(), replay);
    }

    private boolean isRepeatable() {
        return tool.startsWith("read");
    }

    boolean mayRunTwice() {
        return switch (replay) {
            case SAFE -> isRepeatable();
            case ALWAYS -> true;
            case NEVER -> false;
        };
    }
}
