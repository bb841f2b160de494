package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Map;

/// The client of a call, as its era lets the call see it. Thread-safe; [#ask] and [#demand] may block.
interface CallClient {
    Fixture fixture();

    /// The calls that it waits for.
    RunningCalls runningCalls();

    /// What a result says of its kind; empty if the era has no word for it.
    String resultType();

    /// What stands in every result: JSON members, each with a comma behind it; empty for none.
    String signature();

    /// Whether the client said that it can do this.
    boolean can(String capability);

    /// How to refuse a call that needs what the client cannot do.
    NoResult lacks(String capability);

    /// Sends a log message, if the client wants that level.
    void log(String level, String text, Outbox outbox);

    /// Gets answers, each under the key of its question.
    Map<String, JsonView> ask(List<ClientQuestion> questions, CallContext callContext)
            throws NoResult, InterruptedException;

    /// Sends the client a request, whether the era allows it or not, and tells what became of it.
    String demand(String method, Outbox outbox) throws InterruptedException;
}
