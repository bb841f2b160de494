package dev.fusebox.simulation.pipeline;

import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.Outcome;
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

/// A reference model of one call pipeline: which evidence there was, and how the breakers of the server and of its
/// tools must count it. For the threads of one simulation.
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

    /// The permissions of an admitted call.
    ///
    /// @param tool null if tools have no breakers
    /// @param number calls that were admitted later have larger ones
    record Permissions(
            Pass server, @Nullable Pass tool, @Nullable BreakerModel toolBreaker, long number) {
        /// Whether its tool was refused because of crashes, and this call is the probe.
        boolean isProbeAfterCrashes() {
            return tool != null && tool.isProbe() && toolBreaker != null && toolBreaker.isLastCrash();
        }
    }

    /// A call that ended without a message from the server.
    ///
    /// @param begun the start of its last attempt, by the clock of the simulation
    /// @param sentAt the same, by the monotonic clock
    record Silence(long begun, long sentAt) {}

    /// @param left whether its caller cancelled
    private record Case(Permissions permissions, long sentAt, boolean left) {}

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

    // ---- Admission

    /// The permissions of the call; null if it must be refused.
    @Nullable
    Permissions ask(String tool, long nanosLeft) {
        Duration lease = Duration.ofNanos(nanosLeft).plus(rules.ping()).plus(SLACK);
        Pass forServer = server.ask(now(), lease);
        BreakerModel ofTool = breakerOf(tool);
        if (forServer == null || ofTool == null) {
            return forServer == null ? null : new Permissions(forServer, null, null, ++lastNumber);
        }
        Pass forTool = ofTool.ask(now(), lease);
        if (forTool == null) {
            server.end(forServer, Ending.SAYS_NOTHING, now());
            return null;
        }
        return new Permissions(forServer, forTool, ofTool, ++lastNumber);
    }

    /// Whether a refusal with this code is correct.
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

    boolean allowsRetry(Permissions permissions) {
        BreakerModel ofTool = permissions.toolBreaker();
        boolean isToolOpen = ofTool != null && ofTool.state() == State.OPEN;
        return server.allowsRetry(permissions.server()) && !isToolOpen;
    }

    // ---- Settling

    /// @param heardSince whether a message of the server has arrived since then, by the monotonic clock
    void over(Permissions permissions, Outcome outcome, Silence silence, Predicate<Long> heardSince) {
        if (isAnswer(outcome) && permissions.tool() != null && permissions.toolBreaker() != null) {
            blame.answered(permissions.toolBreaker());
        }
        switch (outcome) {
            case Outcome.Answered(var answer) -> {
                JsonView isError = answer.frame().path("result", "isError");
                boolean erred = answer.result() == null || (isError != null && isError.isTrue());
                end(permissions, Ending.GOOD, rules.tools().countErrors() && erred ? Ending.BAD : Ending.GOOD);
            }
            case Outcome.Failed(CallFailure failure) -> failed(permissions, failure, silence, heardSince);
        }
    }

    private static boolean isAnswer(Outcome outcome) {
        return !(outcome instanceof Outcome.Failed(CallFailure failure))
                || failure.delivery() == Delivery.REJECTED
                || failure.category() == FailureCategory.PROTOCOL;
    }

    private void failed(Permissions permissions, CallFailure failure, Silence silence, Predicate<Long> heardSince) {
        switch (failure.category()) {
            case AUTH, LOCAL, POLICY -> end(permissions, Ending.SAYS_NOTHING, Ending.SAYS_NOTHING);
            case PROTOCOL -> end(permissions, Ending.GOOD, Ending.GOOD);
            case CANCELLED -> {
                boolean isLong = now() - silence.begun() >= LONG_WAIT;
                if (failure.delivery() == Delivery.UNKNOWN && isLong) {
                    addUnresolved(new Case(permissions, silence.sentAt(), true), heardSince);
                } else {
                    end(permissions, Ending.SAYS_NOTHING, Ending.SAYS_NOTHING);
                }
            }
            case OFFLINE, HTTP, STDIO_EXIT, OTHER -> {
                if (failure.code() == ErrorCode.TIMEOUT && failure.delivery() == Delivery.UNKNOWN) {
                    addUnresolved(new Case(permissions, silence.sentAt(), false), heardSince);
                } else {
                    countFailure(permissions, failure);
                }
            }
        }
    }

    /// The end of a connection, or a failure to connect, was counted where it was seen.
    private void countFailure(Permissions permissions, CallFailure failure) {
        boolean isOwn = switch (failure.evidence().extent()) {
            case CALL -> true;
            case CONNECTING, CONNECTION -> permissions.server().isProbe();
        };
        end(permissions, isOwn ? Ending.BAD : Ending.SAYS_NOTHING, Ending.SAYS_NOTHING);
    }

    private void end(Permissions permissions, Ending forServer, Ending forTool) {
        server.end(permissions.server(), forServer, now());
        if (permissions.tool() != null && permissions.toolBreaker() != null) {
            permissions.toolBreaker().end(permissions.tool(), forTool, now());
        }
    }

    // ---- Evidence outside of calls

    /// A connection was lost, or could not be established.
    void sawConnection(FailureCategory category) {
        switch (category) {
            case OFFLINE, HTTP, STDIO_EXIT, OTHER -> server.saw(now());
            case AUTH, PROTOCOL, LOCAL, CANCELLED, POLICY -> {}
        }
    }

    /// The process ended while these calls were in flight.
    void sawCrash(List<Permissions> inFlight) {
        List<Permissions> suspects = inFlight.stream()
                .filter(Permissions::isProbeAfterCrashes)
                .max(Comparator.comparingLong(Permissions::number))
                .map(List::of)
                .orElse(inFlight);
        Map<BreakerModel, List<Permissions>> ofTools = new LinkedHashMap<>();
        for (Permissions permissions : suspects) {
            if (permissions.toolBreaker() != null) {
                ofTools.computeIfAbsent(permissions.toolBreaker(), tool -> new ArrayList<>())
                        .add(permissions);
            }
        }
        boolean hasOthers = suspects.stream().anyMatch(permissions -> permissions.toolBreaker() == null);
        Map<BreakerModel, Integer> blamed = blame.crashed(ofTools.keySet(), hasOthers);
        if (blamed.isEmpty()) {
            server.saw(now());
            return;
        }
        blamed.forEach((tool, crashes) -> count(tool, ofTools.getOrDefault(tool, List.of()), crashes));
        inFlight.forEach(this::abandon);
    }

    /// A probe that was ended by a crash that has been attributed to tools.
    private void abandon(Permissions permissions) {
        if (permissions.server().isProbe()) {
            server.end(permissions.server(), Ending.SAYS_NOTHING, now());
        }
        if (permissions.tool() != null && permissions.tool().isProbe() && permissions.toolBreaker() != null) {
            permissions.toolBreaker().end(permissions.tool(), Ending.SAYS_NOTHING, now());
        }
    }

    private void count(BreakerModel tool, List<Permissions> calls, int crashes) {
        for (Permissions permissions : crashes > 0 ? calls : List.<Permissions>of()) {
            Pass pass = permissions.tool();
            if (pass != null && pass.isProbe() && !pass.hasEnded()) {
                tool.end(pass, Ending.CRASH, now());
                return;
            }
        }
        for (int left = crashes; left > 0; left--) {
            tool.saw(Ending.CRASH, now());
        }
    }

    private void addUnresolved(Case raised, Predicate<Long> heardSince) {
        if (heardSince.test(raised.sentAt())) {
            lives(raised);
        } else {
            doubtful.add(raised);
        }
    }

    private void lives(Case raised) {
        boolean left = raised.left();
        end(raised.permissions(), left ? Ending.SAYS_NOTHING : Ending.GOOD, left ? Ending.SAYS_NOTHING : Ending.BAD);
    }

    /// The ping was answered, or not: resolves all timeouts that wait for it.
    void pulse(HealthCheckResult healthCheckResult, Predicate<Long> heardSince) {
        List<Case> judged = doubtful;
        doubtful = new ArrayList<>();
        boolean isDead = false;
        for (Case raised : judged) {
            if (healthCheckResult == HealthCheckResult.ALIVE
                    || (healthCheckResult == HealthCheckResult.SILENT && heardSince.test(raised.sentAt()))) {
                lives(raised);
            } else {
                isDead |= healthCheckResult == HealthCheckResult.SILENT;
                boolean isProbe = raised.permissions().server().isProbe();
                end(raised.permissions(), isProbe ? Ending.BAD : Ending.SAYS_NOTHING, Ending.SAYS_NOTHING);
            }
        }
        if (isDead) {
            server.saw(now());
        }
    }

    /// The number of unresolved timeouts.
    int unresolved() {
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
