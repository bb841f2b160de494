package dev.fusebox.testkit.server;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A question to the client that waits for its answer. One thread waits, another brings the answer.
final class PendingQuestion {
    /// A person may sit on the other side; a test that needs longer has gone wrong.
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Thread waiter = Thread.currentThread();
    private volatile Message.@Nullable Answer answer;

    void answered(Message.Answer with) {
        answer = with;
        LockSupport.unpark(waiter);
    }

    JsonView await(String method, Platform platform) throws ToolError, InterruptedException {
        if (!platform.await(LIMIT, () -> answer != null)) {
            throw new ToolError("the client has not answered " + method + " within " + LIMIT.toSeconds() + " s");
        }
        Message.Answer came = answer;
        JsonView result = came == null ? null : came.result();
        if (result == null) {
            throw new ToolError("the client refused " + method + ": "
                    + (came == null ? "no answer" : String.valueOf(came.error())));
        }
        return result;
    }
}
