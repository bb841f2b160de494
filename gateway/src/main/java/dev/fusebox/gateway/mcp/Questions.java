package dev.fusebox.gateway.mcp;

import dev.fusebox.client.Patience;
import dev.fusebox.protocol.RequestId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// What the server has asked the client and the client has not answered. The clocks of the calls that may have led to a
/// question stand still meanwhile. Thread-safe; nothing blocks.
final class Questions {
    /// More than that nobody answers; a server that asks more is told so.
    private static final int MOST = 1_000;

    private final AtomicLong lastId = new AtomicLong();
    private final Map<RequestId, Question> open = new ConcurrentHashMap<>();

    /// One question.
    ///
    /// @param asked the id that the server gave it
    /// @param waiting whose clocks stand still
    private record Question(RequestId asked, List<Patience> waiting) {}

    /// Notes a question; gives the id under which the client gets it, or null if too many are open.
    @Nullable
    RequestId ask(RequestId asked, List<Patience> waiting) {
        if (open.size() >= MOST) {
            return null;
        }
        RequestId id = RequestId.of(lastId.incrementAndGet());
        open.put(id, new Question(asked, waiting));
        waiting.forEach(Patience::stop);
        return id;
    }

    /// The client answered; gives the id that the server knows, or null if nobody waits for the answer any more.
    @Nullable
    RequestId answered(RequestId id) {
        Question question = open.remove(id);
        if (question == null) {
            return null;
        }
        question.waiting().forEach(Patience::go);
        return question.asked();
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

    /// The server is gone and with it everything that it wanted to know.
    void clear() {
        List.copyOf(open.keySet()).forEach(this::answered);
    }
}
