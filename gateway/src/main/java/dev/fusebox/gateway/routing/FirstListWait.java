package dev.fusebox.gateway.routing;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Deadline;
import dev.fusebox.platform.Ticker;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A client's wait for the first lists: its time limit, and the progress notifications that the client asked
/// for. For one thread; nothing blocks.
final class FirstListWait {
    private final Deadline deadline;
    private final Caller caller;
    private final @Nullable JsonView token;
    private int told = -1;

    private FirstListWait(Deadline deadline, Caller caller, @Nullable JsonView token) {
        this.deadline = deadline;
        this.caller = caller;
        this.token = token;
    }

    static FirstListWait of(Call call) {
        JsonView token = call.request().frame().path("params", "_meta", "progressToken");
        return new FirstListWait(call.deadline(), call.caller(), token);
    }

    /// For gateway commands, which report no progress.
    static FirstListWait unobserved(Ticker ticker) {
        return new FirstListWait(Deadline.endless(ticker), Caller.SILENT, null);
    }

    /// The remaining wait; zero if the client has left.
    Duration left() {
        return Duration.ofNanos(Math.max(0, deadline.left()));
    }

    /// Reports how many servers have answered or failed.
    void report(int done, int all) {
        if (token != null && done > told) {
            told = done;
            String params = "{\"progressToken\":" + token.json() + ",\"progress\":" + done + ",\"total\":" + all
                    + ",\"message\":\"" + done + " of " + all + " servers have listed their tools or failed\"}";
            caller.progress(JsonRpcFrames.notification("notifications/progress", params));
        }
    }
}
