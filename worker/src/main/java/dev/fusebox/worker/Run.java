package dev.fusebox.worker;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.Objects;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/// One script, from its first line to its last answer. For one thread, which it keeps for as long as the script runs.
final class Run {
    private final Inbox inbox;
    private final Post post;
    private final Order order;
    private final Sleepers sleepers;
    private final Counter counter;

    Run(World world, Inbox inbox, Post post, Order order) {
        this.inbox = inbox;
        this.post = post;
        this.order = order;
        this.sleepers = new Sleepers(world.ticker());
        this.counter = new Counter(order, post);
    }

    /// Runs it to its end, whatever that is.
    ///
    /// @return whether another script can run in this process
    boolean in(Room room) throws InterruptedException {
        try {
            room.hands().reachFor(new Hands.Side(post, counter, sleepers));
            Value script = room.prelude();
            script.invokeMember("start", room.context().eval(Script.of(order.code())), order.servers());
            while (!counter.isOver()) {
                goOn(script);
            }
            return true;
        } catch (PolyglotException failure) {
            tell(failure);
            return !failure.isInternalError();
        } catch (StackOverflowError | LinkageError spoilt) {
            // A class whose first use was at the end of the stack can never be used again.
            Complaint complaint = Complaint.TOO_DEEP;
            counter.failed(complaint.kind(), complaint.message(), complaint.line(), "");
            return false;
        }
    }

    /// Waits for what the script waits for, and lets it go on.
    private void goOn(Value script) throws InterruptedException {
        Duration untilNext = sleepers.untilNext();
        if (untilNext == null && counter.callsOpen() == 0) {
            counter.failed("Error", "the script waits for something that never comes", 0, "");
            return;
        }
        JsonView told = untilNext == null ? inbox.take() : inbox.take(untilNext);
        if (told != null) {
            answer(script, Objects.requireNonNull(told.member("answer")));
        } else if (inbox.isOver()) {
            counter.end();
        }
        for (Integer due = sleepers.nextDue(); due != null && !counter.isOver(); due = sleepers.nextDue()) {
            script.invokeMember("arrived", due, "null");
        }
    }

    private void answer(Value script, JsonView answer) {
        counter.answered();
        int id = Integer.parseInt(Objects.requireNonNull(answer.member("id")).json());
        JsonView value = answer.member("value");
        if (value != null) {
            script.invokeMember("arrived", id, value.json());
        } else {
            String message = Objects.requireNonNull(answer.string("message"));
            script.invokeMember("refused", id, message, error(answer.member("error")));
        }
    }

    private static String error(@Nullable JsonView error) {
        return error == null ? "null" : error.json();
    }

    /// What the script itself could not catch: mostly that it is no script.
    private void tell(PolyglotException failure) {
        Complaint complaint = Complaint.of(failure, order.code());
        counter.failed(complaint.kind(), complaint.message(), complaint.line(), "");
    }
}
