package dev.fusebox.client;

import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Counts the messages of one conversation that were dropped: answers that come late, twice or to nothing,
/// progress of nothing, lines that are no messages, and notifications that could not be sent. The log is told how
/// many there were, once, when the conversation is over: each by itself would let a server flood it. Thread-safe;
/// nothing blocks.
public final class UnmatchedMessages {
    private static final Logger LOG = LazyLoggers.of(UnmatchedMessages.class);

    private final String server;
    private final LongAdder count = new LongAdder();
    private final AtomicBoolean isTold = new AtomicBoolean();

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

    /// The conversation is over.
    public void end() {
        String sentence = isTold.compareAndSet(false, true) ? sentence() : null;
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
                        + " dropped (late or unexpected responses, invalid messages, or messages that could not be sent)";
    }
}
