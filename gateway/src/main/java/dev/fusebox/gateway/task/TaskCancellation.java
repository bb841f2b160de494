package dev.fusebox.gateway.task;

import dev.fusebox.client.Call;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.resilience.Endpoint;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import java.time.Duration;

/// Cancellation of a task whose call is over, in the background. Thread-safe; nothing blocks.
final class TaskCancellation {
    /// How long it may take.
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private TaskCancellation() {}

    /// Sends a request in the background.
    ///
    /// @param send makes a call to the server
    /// @param afterwards is run in any case
    static void begin(Platform platform, Call request, Endpoint send, Runnable afterwards) {
        Call limited = request.within(new Deadline(LIMIT, Duration.ZERO, platform.ticker()));
        VirtualThreadStarter.start("fusebox-task", () -> cancel(limited, send, afterwards), afterwards);
    }

    private static void cancel(Call request, Endpoint send, Runnable afterwards) {
        try {
            send.call(request);
        } finally {
            afterwards.run();
        }
    }
}
