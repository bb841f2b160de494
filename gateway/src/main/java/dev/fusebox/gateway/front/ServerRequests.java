package dev.fusebox.gateway.front;

import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// What the server has asked the client and the client has not answered. The clocks of the calls that may have led
/// to a question stand still meanwhile. Thread-safe; nothing blocks.
final class ServerRequests {
    /// More than that nobody answers; a server that asks more is told so.
    private static final int MOST = 1_000;

    private final Timers timers;
    private final Duration limit;
    private final BiConsumer<RequestId, Question> unanswered;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<RequestId, Question> open = new ConcurrentHashMap<>();

    /// One question.
    ///
    /// @param replyHandler who wants to know
    /// @param asked the id that the server gave it
    /// @param waiting whose clocks stand still
    /// @param alarm ends it
    record Question(ReplyHandler replyHandler, RequestId asked, List<Deadline> waiting, Timer alarm) {}

    /// @param limit how long the client may take for one
    /// @param unanswered is told when it took longer: the id the client knows, and the question
    ServerRequests(Timers timers, Duration limit, BiConsumer<RequestId, Question> unanswered) {
        this.timers = timers;
        this.limit = limit;
        this.unanswered = unanswered;
    }

    /// Notes a question; gives the id under which the client gets it, or null if too many are open.
    @Nullable
    RequestId ask(ReplyHandler replyHandler, RequestId asked, List<Deadline> waiting) {
        if (open.size() >= MOST) {
            return null;
        }
        RequestId id = RequestId.of(lastId.incrementAndGet());
        waiting.forEach(Deadline::stop);
        open.put(id, new Question(replyHandler, asked, waiting, timers.schedule(limit, () -> expire(id))));
        return id;
    }

    private void expire(RequestId id) {
        Question question = answered(id);
        if (question != null) {
            unanswered.accept(id, question);
        }
    }

    /// The client answered; gives the question, or null if nobody waits for the answer any more.
    @Nullable
    Question answered(RequestId id) {
        Question question = open.remove(id);
        if (question != null) {
            question.alarm().cancel();
            question.waiting().forEach(Deadline::go);
        }
        return question;
    }

    /// The server no longer wants to know; gives the id that the client knows, or null if it has answered.
    @Nullable
    RequestId withdrawn(RequestId asked) {
        for (Map.Entry<RequestId, Question> entry : open.entrySet()) {
            if (entry.getValue().asked().equals(asked)) {
                answered(entry.getKey());
                return entry.getKey();
            }
        }
        return null;
    }

    /// The server is gone and with it everything that it wanted to know; gives the ids that the client knows.
    List<RequestId> forget(Connection asker) {
        List<RequestId> lost = open.entrySet().stream()
                .filter(entry -> entry.getValue().replyHandler().equals(asker))
                .map(Map.Entry::getKey)
                .toList();
        lost.forEach(this::answered);
        return lost;
    }

    /// Nobody will answer any more.
    void clear() {
        List.copyOf(open.keySet()).forEach(this::answered);
    }
}
