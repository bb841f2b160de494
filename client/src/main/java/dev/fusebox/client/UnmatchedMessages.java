package dev.fusebox.client;

import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Counter of the messages that one session dropped: late, duplicate or unexpected responses, progress for unknown
/// calls, lines that are not messages, and notifications that could not be sent. The count is logged once, at the
/// end of the session, because one log line per message would let a server flood the log. Thread-safe; nothing
/// blocks.
public final class UnmatchedMessages {
    private static final Logger LOG = LazyLoggers.of(UnmatchedMessages.class);

    private final String server;
    private final LongAdder count = new LongAdder();
    private final AtomicBoolean isLogged = new AtomicBoolean();

    /// @param server for the log
    public UnmatchedMessages(String server) {
        this.server = server;
    }

    public void add() {
        count.increment();
    }

    public long count() {
        return count.sum();
    }

    /// Logs the count; the session has ended. Idempotent.
    public void end() {
        String sentence = isLogged.compareAndSet(false, true) ? sentence() : null;
        if (sentence != null) {
            LOG.log(Level.INFO, sentence);
        }
    }

    /// Null if there were none.
    @Nullable
    String sentence() {
        long sum = count.sum();
        return sum == 0
                ? null
                : server + ": " + sum + (sum == 1 ? " message" : " messages")
                        + " dropped (late or unexpected responses, invalid or unsendable messages)";
    }
}
