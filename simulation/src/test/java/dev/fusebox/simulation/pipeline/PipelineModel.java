package dev.fusebox.simulation.pipeline;

import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection.Pulse;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.simulation.pipeline.BreakerModel.Ending;
import dev.fusebox.simulation.pipeline.BreakerModel.Pass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Keeps the books of one lane a second time, in plain words: which evidence there was, and what the breakers of
/// the server and of its tools have to make of it. For the threads of one simulation.
final class PipelineModel {
    private static final long LONG_WAIT = Duration.ofSeconds(5).toNanos();
    private static final Duration SLACK = Duration.ofSeconds(1);

    private final PipelineRules rules;
    private final LongSupplier clock;
    private final BreakerModel server;
    private final Map<String, BreakerModel> tools = new HashMap<>();
    private final CrashAttributionModel blame;
    private List<Case> doubtful = new ArrayList<>();
    private long lastNumber;

    /// What a call was let in with.
    ///
    /// @param tool null if tools have no breakers
    /// @param number calls that were let in later have larger ones
    record Passes(
            Pass server, @Nullable Pass tool, @Nullable BreakerModel toolBreaker, long number) {
        /// Whether its tool was refused because of crashes, and this call finds out about it.
        boolean isProbeAfterCrashes() {
            return tool != null && tool.isProbe() && toolBreaker != null && toolBreaker.isLastCrash();
        }
    }

    /// A call that ended without a sign of the server.
    ///
    /// @param begun when its last attempt began, by the clock of the simulation
    /// @param sentAt the same, by the monotonic clock
    record Silence(long begun, long sentAt) {}

    /// @param left whether its caller left
    private record Case(Passes passes, long sentAt, boolean left) {}

    /// @param clock nanoseconds since the start of the simulation
    PipelineModel(PipelineRules rules, LongSupplier clock) {
        this.rules = rules;
        this.clock = clock;
        this.server = new BreakerModel(rules.breaker());
        this.blame = new CrashAttributionModel(rules.tools().crashThreshold());
    }

    BreakerModel server() {
        return server;
    }

    Map<String, BreakerModel> tools() {
        return tools;
    }

    private @Nullable BreakerModel breakerOf(String tool) {
        return rules.tools().enabled()
                ? tools.computeIfAbsent(
                        tool, new_ -> new BreakerModel(rules.tools().policy()))
                : null;
    }

    // ---- Asking

    /// What the call is let in with; null if it must not be.
    @Nullable
    Passes ask(String tool, long nanosLeft) {
        Duration lease = Duration.ofNanos(nanosLeft).plus(rules.ping()).plus(SLACK);
        Pass forServer = server.ask(now(), lease);
        BreakerModel ofTool = breakerOf(tool);
        if (forServer == null || ofTool == null) {
            return forServer == null ? null : new Passes(forServer, null, null, ++lastNumber);
        }
        Pass forTool = ofTool.ask(now(), lease);
        if (forTool == null) {
            server.end(forServer, Ending.SAYS_NOTHING, now());
            return null;
        }
        return new Passes(forServer, forTool, ofTool, ++lastNumber);
    }

    /// Whether a refusal with this code is right.
    ///
    /// @param waited whether the call had to wait for its place before
    boolean isRightToRefuse(ErrorCode code, String tool, boolean waited) {
        if (code == ErrorCode.BREAKER_OPEN) {
            return server.wouldRefuse(now());
        }
        BreakerModel ofTool = breakerOf(tool);
        boolean isRight = !server.wouldRefuse(now()) && ofTool != null && ofTool.wouldRefuse(now());
        return isRight && (!waited || ask(tool, 1) == null);
    }

    boolean letsGoOn(Passes passes) {
        BreakerModel ofTool = passes.toolBreaker();
        boolean isToolOpen = ofTool != null && ofTool.state() == State.OPEN;
        return server.letsGoOn(passes.server()) && !isToolOpen;
    }

    // ---- Ending

    /// @param heardSince whether the server was heard since then, by the monotonic clock
    void over(Passes passes, Outcome outcome, Silence silence, Predicate<Long> heardSince) {
        if (isAnswer(outcome) && passes.tool() != null && passes.toolBreaker() != null) {
            blame.answered(passes.toolBreaker());
        }
        switch (outcome) {
            case Outcome.Answered(var answer) -> {
                JsonView isError = answer.frame().path("result", "isError");
                boolean erred = answer.result() == null || (isError != null && isError.isTrue());
                end(passes, Ending.GOOD, rules.tools().countErrors() && erred ? Ending.BAD : Ending.GOOD);
            }
            case Outcome.Failed(CallFailure failure) -> failed(passes, failure, silence, heardSince);
        }
    }

    private static boolean isAnswer(Outcome outcome) {
        return !(outcome instanceof Outcome.Failed(CallFailure failure))
                || failure.delivery() == Delivery.REJECTED
                || failure.category() == FailureCategory.PROTOCOL;
    }

    private void failed(Passes passes, CallFailure failure, Silence silence, Predicate<Long> heardSince) {
        switch (failure.category()) {
            case AUTH, LOCAL, POLICY -> end(passes, Ending.SAYS_NOTHING, Ending.SAYS_NOTHING);
            case PROTOCOL -> end(passes, Ending.GOOD, Ending.GOOD);
            case CANCELLED -> {
                boolean isLong = now() - silence.begun() >= LONG_WAIT;
                if (failure.delivery() == Delivery.UNKNOWN && isLong) {
                    doubt(new Case(passes, silence.sentAt(), true), heardSince);
                } else {
                    end(passes, Ending.SAYS_NOTHING, Ending.SAYS_NOTHING);
                }
            }
            case OFFLINE, HTTP, STDIO_EXIT, OTHER -> {
                if (failure.code() == ErrorCode.TIMEOUT && failure.delivery() == Delivery.UNKNOWN) {
                    doubt(new Case(passes, silence.sentAt(), false), heardSince);
                } else {
                    blame(passes, failure);
                }
            }
        }
    }

    /// What ends a connection, or keeps one from being made, was counted where it was seen.
    private void blame(Passes passes, CallFailure failure) {
        boolean isOwn = switch (failure.evidence().extent()) {
            case CALL -> true;
            case CONNECTING, CONNECTION -> passes.server().isProbe();
        };
        end(passes, isOwn ? Ending.BAD : Ending.SAYS_NOTHING, Ending.SAYS_NOTHING);
    }

    private void end(Passes passes, Ending forServer, Ending forTool) {
        server.end(passes.server(), forServer, now());
        if (passes.tool() != null && passes.toolBreaker() != null) {
            passes.toolBreaker().end(passes.tool(), forTool, now());
        }
    }

    // ---- Evidence apart from calls

    /// A connection was lost, or could not be had.
    void sawConnection(FailureCategory category) {
        switch (category) {
            case OFFLINE, HTTP, STDIO_EXIT, OTHER -> server.saw(now());
            case AUTH, PROTOCOL, LOCAL, CANCELLED, POLICY -> {}
        }
    }

    /// The process ended while these calls were on it.
    void sawCrash(List<Passes> inFlight) {
        List<Passes> suspects = inFlight.stream()
                .filter(Passes::isProbeAfterCrashes)
                .max(Comparator.comparingLong(Passes::number))
                .map(List::of)
                .orElse(inFlight);
        Map<BreakerModel, List<Passes>> ofTools = new LinkedHashMap<>();
        for (Passes passes : suspects) {
            if (passes.toolBreaker() != null) {
                ofTools.computeIfAbsent(passes.toolBreaker(), tool -> new ArrayList<>())
                        .add(passes);
            }
        }
        boolean hasOthers = suspects.stream().anyMatch(passes -> passes.toolBreaker() == null);
        Map<BreakerModel, Integer> blamed = blame.crashed(ofTools.keySet(), hasOthers);
        if (blamed.isEmpty()) {
            server.saw(now());
            return;
        }
        blamed.forEach((tool, crashes) -> count(tool, ofTools.getOrDefault(tool, List.of()), crashes));
        inFlight.forEach(this::saysNothingMore);
    }

    /// A probe that was cut off by a crash that has been counted against tools.
    private void saysNothingMore(Passes passes) {
        if (passes.server().isProbe()) {
            server.end(passes.server(), Ending.SAYS_NOTHING, now());
        }
        if (passes.tool() != null && passes.tool().isProbe() && passes.toolBreaker() != null) {
            passes.toolBreaker().end(passes.tool(), Ending.SAYS_NOTHING, now());
        }
    }

    private void count(BreakerModel tool, List<Passes> calls, int crashes) {
        for (Passes passes : crashes > 0 ? calls : List.<Passes>of()) {
            Pass pass = passes.tool();
            if (pass != null && pass.isProbe() && !pass.hasEnded()) {
                tool.end(pass, Ending.CRASH, now());
                return;
            }
        }
        for (int left = crashes; left > 0; left--) {
            tool.saw(Ending.CRASH, now());
        }
    }

    private void doubt(Case raised, Predicate<Long> heardSince) {
        if (heardSince.test(raised.sentAt())) {
            lives(raised);
        } else {
            doubtful.add(raised);
        }
    }

    private void lives(Case raised) {
        boolean left = raised.left();
        end(raised.passes(), left ? Ending.SAYS_NOTHING : Ending.GOOD, left ? Ending.SAYS_NOTHING : Ending.BAD);
    }

    /// The question for a sign of life was answered, or not: judges all calls that wait for it.
    void pulse(Pulse pulse, Predicate<Long> heardSince) {
        List<Case> judged = doubtful;
        doubtful = new ArrayList<>();
        boolean isDead = false;
        for (Case raised : judged) {
            if (pulse == Pulse.FELT || (pulse == Pulse.NONE && heardSince.test(raised.sentAt()))) {
                lives(raised);
            } else {
                isDead |= pulse == Pulse.NONE;
                boolean isProbe = raised.passes().server().isProbe();
                end(raised.passes(), isProbe ? Ending.BAD : Ending.SAYS_NOTHING, Ending.SAYS_NOTHING);
            }
        }
        if (isDead) {
            server.saw(now());
        }
    }

    /// Calls that nobody has judged yet.
    int doubtful() {
        return doubtful.size();
    }

    /// Whether an attempt may begin at all.
    boolean isOpen() {
        return server.state() == State.OPEN;
    }

    private long now() {
        return clock.getAsLong();
    }
}
