package dev.fusebox.breaker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plays one history against the library and against the reference model. Used once, by one thread. */
final class Duel {
    private static final int REMEMBERED = 12;
    private static final int LATEST = 2;
    private static final Verdict BAD = Verdict.failure("bad");

    private final Script script;
    private final ManualTime time;
    private final CircuitBreaker breaker;
    private final ReferenceBreaker reference;
    private final List<BreakerEvent> heard = new ArrayList<>();
    private final List<Pair> pairs = new ArrayList<>();
    private int step;

    /** The same call on both sides. */
    private record Pair(Permit permit, ReferenceCall call) {}

    /** What the work of a call throws; also an answer that tells of the difference. */
    private static final class Thrown extends Exception {
        private static final long serialVersionUID = 1;

        Thrown() {
            super(null, null, false, false);
        }
    }

    private Duel(Script script) {
        this.script = script;
        this.time = new ManualTime(script.start());
        Judge judge = Judge.ofThrowables(thrown -> thrown instanceof Thrown ? BAD : Verdict.neither());
        this.breaker = new BreakerBuilder(Script.NAME)
                .policy(script.policy())
                .judge(judge)
                .surroundings(time.surroundings())
                .build();
        this.reference = new ReferenceBreaker(script, time);
        listen(script.tellsCalls());
    }

    private void listen(boolean toCalls) {
        if (toCalls) {
            breaker.on(BreakerEvent.class, heard::add);
        } else {
            breaker.on(BreakerEvent.StateChange.class, heard::add);
            breaker.on(BreakerEvent.HalfOpenTest.class, heard::add);
            breaker.on(BreakerEvent.CallRejected.class, heard::add);
        }
    }

    /** How the two differ, if they do. */
    static Optional<String> play(Script script) {
        return play(script, new HashSet<>());
    }

    /** The same; adds to {@code reached} what led from which state to which. */
    static Optional<String> play(Script script, Set<String> reached) {
        Duel duel = new Duel(script);
        duel.breaker.on(
                BreakerEvent.StateChange.class,
                change -> reached.add(change.from() + " to " + change.to() + " by "
                        + change.reason().getClass().getSimpleName()));
        try {
            for (Op op : script.steps()) {
                duel.step++;
                duel.make(op);
                duel.compare(op);
            }
            duel.same("snapshot", duel.breaker.snapshot(), duel.reference.snapshot());
            return Optional.empty();
        } catch (AssertionError | RuntimeException difference) {
            return Optional.of("step " + duel.step + ": " + difference);
        }
    }

    private void compare(Op op) {
        same("state", breaker.state(), reference.state());
        same("events", heard, reference.events);
        heard.clear();
        reference.events.clear();
        if (script.readsAlways() || op.kind() == Op.Kind.READ) {
            same("snapshot", breaker.snapshot(), reference.snapshot());
        }
    }

    private void same(String what, @Nullable Object found, @Nullable Object expected) {
        if (!Objects.equals(found, expected)) {
            throw new AssertionError(what + " is" + System.lineSeparator() + "  " + found + System.lineSeparator()
                    + "  but should be" + System.lineSeparator() + "  " + expected);
        }
    }

    private void make(Op op) {
        time.chance(op.which() / 1_000.0);
        switch (op.kind()) {
            case ACQUIRE ->
                acquire(
                        breaker.tryAcquire(),
                        reference.acquire(script.policy().lease().toNanos()));
            case ACQUIRE_WITH_LEASE ->
                acquire(breaker.tryAcquire(Duration.ofNanos(op.time())), reference.acquire(op.time()));
            case SUCCEED -> settle(op, Verdict.success());
            case FAIL -> settle(op, Verdict.failure("category " + op.which() % 3));
            case ABANDON -> settle(op, Verdict.neither());
            case CALL_THAT_RETURNS -> call(op, Verdict.success(), null);
            case CALL_THAT_THROWS -> call(op, BAD, new Thrown());
            case CALL_THAT_IS_CANCELLED -> call(op, Verdict.neither(), new InterruptedException());
            case MOVE_CLOCK -> time.advanceNanos(op.amount());
            case MOVE_CLOCK_TO_EDGE -> moveToEdge(op);
            case JUMP_WALL -> time.jumpWall(Duration.ofNanos(op.which() % 2 == 0 ? op.amount() : -op.amount()));
            case PAUSE -> pause(op);
            case RESUME -> resume(op);
            case FORCE_OPEN, DISABLE, RESET -> operate(op);
            case READ -> breaker.snapshot();
        }
    }

    // ---- Steps ----------------------------------------------------------------------------------------------------

    private void acquire(Admission admission, ReferenceAnswer answer) {
        if (admission instanceof Permit permit && answer instanceof ReferenceCall call) {
            pairs.add(new Pair(permit, call));
        } else {
            boolean alike = admission instanceof Rejection rejection
                    && answer instanceof ReferenceAnswer.Refused refused
                    && refused.isToldBy(rejection);
            same("answer", admission, alike ? admission : answer);
        }
    }

    /** One of the last calls, ended or not; every other time one of the very last. */
    private Optional<Pair> recent(Op op) {
        int choice = Math.min(op.which() % 2 == 0 ? LATEST : REMEMBERED, pairs.size());
        return choice == 0 ? Optional.empty() : Optional.of(pairs.get(pairs.size() - 1 - op.which() / 2 % choice));
    }

    private void settle(Op op, Verdict verdict) {
        recent(op)
                .ifPresent(pair -> same("settled", pair.permit.settle(verdict), reference.settle(pair.call, verdict)));
    }

    /** The work takes time, and in one of eight calls an operator resets the breaker meanwhile. */
    private void call(Op op, Verdict verdict, @Nullable Exception thrown) {
        boolean operated = op.which() % 8 == 0;
        long takes = op.amount() % 10_000_000_000L;
        ReferenceAnswer answer = reference.acquire(script.policy().lease().toNanos());
        try {
            same("result", breaker.call(() -> work(operated, takes, thrown)), "result");
            same("exception", null, thrown);
        } catch (CallRejectedException rejected) {
            acquire(rejected.rejection(), answer);
        } catch (Exception caught) {
            same("exception", caught, thrown);
        }
        if (answer instanceof ReferenceCall call) {
            reference.settle(call, verdict);
        }
    }

    private String work(boolean operated, long takes, @Nullable Exception thrown) throws Exception {
        if (operated) {
            breaker.reset();
            reference.reset();
        }
        time.advanceNanos(takes);
        if (thrown != null) {
            throw thrown;
        }
        return "result";
    }

    private void moveToEdge(Op op) {
        List<Long> edges = reference.edges();
        if (!edges.isEmpty()) {
            long left = edges.get(op.which() % edges.size());
            time.advanceNanos(Math.max(0, left + op.amount() % 3 - 1));
        }
    }

    private void pause(Op op) {
        recent(op).ifPresent(pair -> {
            pair.permit.pause(Duration.ofNanos(op.time()));
            pair.call.pause(time.nanos(), op.time());
        });
    }

    private void resume(Op op) {
        recent(op).ifPresent(pair -> {
            pair.permit.resume();
            pair.call.resume(time.nanos());
        });
    }

    private void operate(Op op) {
        switch (op.kind()) {
            case FORCE_OPEN -> {
                breaker.forceOpen("reason " + op.which());
                reference.forceOpen("reason " + op.which());
            }
            case DISABLE -> {
                breaker.disable();
                reference.disable();
            }
            default -> {
                breaker.reset();
                reference.reset();
            }
        }
    }
}
