package dev.fusebox.gateway.life;

import static dev.fusebox.gateway.life.Status.COMMAND_RECEIVED;
import static dev.fusebox.gateway.life.Status.CONNECTING;
import static dev.fusebox.gateway.life.Status.DISABLED;
import static dev.fusebox.gateway.life.Status.DISCOVERING_TOOLS;
import static dev.fusebox.gateway.life.Status.ERROR;
import static dev.fusebox.gateway.life.Status.IDLE;
import static dev.fusebox.gateway.life.Status.OFFLINE;
import static dev.fusebox.gateway.life.Status.ONLINE;
import static dev.fusebox.gateway.life.Status.PERMANENTLY_FAILED;
import static dev.fusebox.gateway.life.Status.REQUIRES_REAUTH;
import static dev.fusebox.gateway.life.Status.RESTARTING;
import static dev.fusebox.gateway.life.Status.SYNCING_TOOLS;

import dev.fusebox.client.Category;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// What becomes of a server by what happens to it: pure rules, of time and chance only what they are given. Immutable.
///
/// ```
/// provisioning --> command_received --v
/// idle --> connecting --> discovering_tools --> syncing_tools --> online
///              |                 |                                  |
///              '---- offline, error, requires_reauth <--------------'     until a call, a poll or a command
///              '---- restarting <-- a crash --'  --> permanently_failed   until a command or the self-probe
/// ```
final class Course {
    private static final Set<Status> READY = EnumSet.of(DISCOVERING_TOOLS, SYNCING_TOOLS, ONLINE);
    private static final Set<Status> FAILING = EnumSet.of(OFFLINE, ERROR, REQUIRES_REAUTH);
    private static final Set<Status> ON_THE_WAY = EnumSet.of(IDLE, COMMAND_RECEIVED, RESTARTING);
    static final Set<Status> OUT_OF_USE = EnumSet.of(PERMANENTLY_FAILED, DISABLED);
    private static final String RECOVERED = "Server recovered, re-discovering tools";
    private static final Integer FORBIDDEN = 403;

    private final LifeRules rules;
    private final Crash crash;

    Course(LifeRules rules) {
        this.rules = rules;
        this.crash = new Crash(rules);
    }

    /// What came of it. Immutable.
    record Step(Standing standing, List<LifeEvent> events) {
        Step {
            events = List.copyOf(events);
        }
    }

    /// @param now by the monotonic clock
    /// @param chance from 0 to 1, so that servers are not all asked at once
    Step next(Standing from, Happening happening, long now, double chance) {
        Turn turn = new Turn(from, now);
        switch (happening) {
            case Happening.Connecting connecting -> connecting(turn);
            case Happening.Connected connected -> connected(turn, connected);
            case Happening.Failed(Fault fault) -> failed(turn, fault, chance);
            case Happening.Ended ended -> ended(turn, ended, chance);
            case Happening.Answered(Happening.By by) -> answered(turn, by);
            case Happening.CallFailed(Fault fault) -> callFailed(turn, fault, chance);
            case Happening.Silent silent -> silent(turn, chance);
            case Happening.Read(int restarts) -> read(turn, restarts);
            case Happening.Told told -> told(turn, chance);
            case Happening.Unread(Fault fault) -> unread(turn, fault, chance);
            case Happening.Commanded commanded -> commanded(turn, commanded);
            case Happening.Begun(Status told, String message) -> begun(turn, told, message);
            case Happening.Governed governed -> governed(turn, chance);
            case Happening.Fell(Due due) -> fell(turn, due, chance);
        }
        return new Step(turn.standing(), turn.events());
    }

    // ---- Coming up

    private static void connecting(Turn turn) {
        boolean isFirst = turn.live == 0 && (ON_THE_WAY.contains(turn.status()) || FAILING.contains(turn.status()));
        if (isFirst) {
            turn.before = new Standing.Before(turn.status(), turn.message());
            turn.become(CONNECTING, "connecting");
            turn.due = null;
        }
    }

    private static void connected(Turn turn, Happening.Connected connected) {
        turn.live++;
        turn.greeted = true;
        if (turn.live == 1) {
            discovering(turn, Happening.By.CALL);
        }
        Standing.Ended ended = turn.ended;
        if (ended != null) {
            turn.tell(new LifeEvent.Restarted(ended.process(), connected.process(), ended.reason(), turn.quick));
            turn.ended = null;
        }
    }

    /// However it got here: it is there, and what it offers is read.
    private static void discovering(Turn turn, Happening.By by) {
        if (READY.contains(turn.status()) || turn.status() == DISABLED) {
            return;
        }
        if (turn.status() == PERMANENTLY_FAILED) {
            // Somebody was on the way when it was given up, and has arrived.
            turn.become(RESTARTING, "it has come up after all");
        }
        turn.become(CONNECTING, "connecting");
        turn.before = null;
        turn.due = null;
        Long since = turn.downSince;
        turn.become(DISCOVERING_TOOLS, since == null ? "discovering tools" : RECOVERED);
        if (since != null) {
            Duration down = Duration.ofNanos(turn.now - since);
            turn.tell(new LifeEvent.Recovered(by.toString(), down));
            turn.downSince = null;
        }
    }

    private static void answered(Turn turn, Happening.By by) {
        boolean isPutOff = turn.status() == IDLE && turn.live > 0;
        boolean isNews = isPutOff || (FAILING.contains(turn.status()) && turn.rereads == 0);
        if (isNews) {
            discovering(turn, by);
            turn.plan(Due.What.REREAD, Duration.ZERO);
        }
    }

    /// What was read of the process before says nothing of the one that an operator wants.
    private static void read(Turn turn, int restarts) {
        if (restarts != turn.restarts) {
            return;
        }
        turn.rereads = 0;
        if (turn.live > 0) {
            discovering(turn, Happening.By.POLL);
        }
        if (turn.status() == DISCOVERING_TOOLS) {
            turn.become(SYNCING_TOOLS, "announcing its tools");
        }
    }

    private void told(Turn turn, double chance) {
        if (turn.status() == SYNCING_TOOLS) {
            turn.become(ONLINE, "ready");
            turn.lastFault = null;
            ping(turn, chance);
        }
        if (turn.status() == ONLINE && turn.live == 0) {
            turn.become(IDLE, Condition.NOT_CONNECTED);
        }
    }

    private void ping(Turn turn, double chance) {
        turn.due = null;
        if (!rules.polls().ping().isZero()) {
            turn.plan(Due.What.PING, about(rules.polls().ping(), chance));
        }
    }

    /// Sooner or later by a tenth, so that servers are not all asked at once.
    private static Duration about(Duration usual, double chance) {
        return Duration.ofNanos((long) (usual.toNanos() * (0.9 + 0.2 * chance)));
    }

    // ---- Going down

    private void failed(Turn turn, Fault fault, double chance) {
        if (fault.category() == Category.STDIO_EXIT) {
            crash.of(turn, new Happening.Ended(fault, null, Duration.ZERO));
        } else if (turn.live == 0 && isOurs(fault)) {
            asBefore(turn);
        } else if (turn.live == 0) {
            down(turn, fault, chance);
        }
    }

    /// What failed for reasons of ours says nothing about the server.
    private static boolean isOurs(Fault fault) {
        return switch (fault.category()) {
            case LOCAL, CANCELLED, POLICY -> true;
            case AUTH, OFFLINE, HTTP, STDIO_EXIT, OTHER, PROTOCOL -> false;
        };
    }

    private void asBefore(Turn turn) {
        Standing.Before before = turn.before;
        if (turn.status() != CONNECTING || before == null) {
            return;
        }
        turn.before = null;
        switch (before.status()) {
            case OFFLINE, ERROR, REQUIRES_REAUTH -> turn.become(before.status(), before.message());
            case RESTARTING -> {
                turn.become(RESTARTING, before.message());
                turn.plan(Due.What.RESTART, rules.restartDelays().getLast());
            }
            default -> turn.become(IDLE, Condition.NOT_CONNECTED);
        }
    }

    private void ended(Turn turn, Happening.Ended ended, double chance) {
        turn.live = Math.max(0, turn.live - 1);
        Fault fault = ended.fault();
        if (fault.category() == Category.STDIO_EXIT) {
            crash.of(turn, ended);
        } else if (turn.live == 0 && (isOurs(fault) || fault.code() == FaultCode.SESSION_LOST)) {
            rested(turn);
        } else if (turn.live == 0) {
            down(turn, fault, chance);
        }
    }

    private static void rested(Turn turn) {
        if (turn.status() == ONLINE || turn.status() == DISCOVERING_TOOLS) {
            turn.become(IDLE, Condition.NOT_CONNECTED);
            turn.due = null;
        }
    }

    /// A connection's own failure is seen where connections are; a refusal of a breaker's is old news; silence has to
    /// be proven. A forbidden call of a server that could be listed is about that call.
    private void callFailed(Turn turn, Fault fault, double chance) {
        boolean isAbout = fault.evidence().extent() == Evidence.Extent.CALL
                && fault.rejection() == null
                && fault.code() != FaultCode.TIMEOUT
                && fault.category() != Category.PROTOCOL
                && !isOurs(fault);
        boolean isForbidden =
                turn.status() == ONLINE && FORBIDDEN.equals(fault.evidence().httpStatus());
        if (isAbout && !isForbidden && (READY.contains(turn.status()) || FAILING.contains(turn.status()))) {
            down(turn, fault, chance);
        }
    }

    private void silent(Turn turn, double chance) {
        if (READY.contains(turn.status())) {
            down(turn, OFFLINE, "Server unreachable", chance);
        }
    }

    private void down(Turn turn, Fault fault, double chance) {
        if (OUT_OF_USE.contains(turn.status())) {
            return;
        }
        turn.lastFault = fault;
        switch (fault.category()) {
            case AUTH -> down(turn, REQUIRES_REAUTH, words(fault), chance);
            case OFFLINE -> down(turn, OFFLINE, "Server unreachable", chance);
            default -> down(turn, ERROR, fault.message(), chance);
        }
    }

    private static String words(Fault fault) {
        Integer status = fault.evidence().httpStatus();
        return FORBIDDEN.equals(status)
                ? "Access forbidden (HTTP 403)"
                : "Authentication failed" + (status == null ? "" : " (HTTP " + status + ")");
    }

    private void down(Turn turn, Status status, String message, double chance) {
        turn.endSyncing();
        if (turn.status() != status && !turn.status().mayBecome(status)) {
            turn.become(CONNECTING, "connecting");
        }
        turn.become(status, message);
        turn.before = null;
        if (turn.downSince == null) {
            turn.downSince = turn.now;
        }
        boolean isPolled = !rules.isProcess() && status != REQUIRES_REAUTH;
        if (isPolled && turn.due == null) {
            poll(turn, chance);
        }
    }

    private void poll(Turn turn, double chance) {
        turn.plan(Due.What.POLL, about(rules.polls().health(), chance));
    }

    /// It answers, and nobody knows what it offers: the old list stays, and it is tried again.
    private void unread(Turn turn, Fault fault, double chance) {
        boolean isOfConnection = turn.live == 0;
        if (isOfConnection) {
            return;
        }
        if (fault.rejection() != null || isOurs(fault)) {
            putOff(turn);
            return;
        }
        if (!READY.contains(turn.status())) {
            return;
        }
        if (fault.category() == Category.AUTH) {
            down(turn, fault, chance);
            return;
        }
        turn.lastFault = fault;
        down(turn, ERROR, "its tools could not be read: " + fault.message(), chance);
        long pause = LifeRules.FIRST_REREAD.toNanos() << Math.min(turn.rereads, 10);
        turn.plan(Due.What.REREAD, Duration.ofNanos(Math.min(pause, LifeRules.LONGEST_REREAD.toNanos())));
        turn.rereads++;
    }

    /// Nobody has asked it: that is done when it may be, with the next call that it answers at the latest.
    private static void putOff(Turn turn) {
        if (turn.status() == DISCOVERING_TOOLS || turn.status() == SYNCING_TOOLS) {
            turn.endSyncing();
            turn.become(IDLE, "connected; its tools are read as soon as it may be called");
        }
        if (turn.status() == IDLE) {
            turn.plan(Due.What.REREAD, LifeRules.LONGEST_REREAD);
        }
    }

    // ---- Commands, and what was due

    private static void begun(Turn turn, Status told, String message) {
        turn.begin(told, message);
        commanded(turn, new Happening.Commanded(message, false));
    }

    private static void commanded(Turn turn, Happening.Commanded commanded) {
        turn.become(COMMAND_RECEIVED, commanded.message());
        if (commanded.isAfresh()) {
            turn.tally = Tally.EMPTY;
            turn.quick = 0;
            turn.probes = 0;
            turn.restarts++;
        }
        turn.plan(Due.What.RESTART, Duration.ZERO);
    }

    /// What was planned for looking after it is planned anew; what brings it back stays as it was told. One that was
    /// given up by other rules is not given up by these.
    private void governed(Turn turn, double chance) {
        if (turn.status() == PERMANENTLY_FAILED) {
            commanded(turn, new Happening.Commanded("its configuration has changed", true));
        } else if (turn.status() == ONLINE) {
            ping(turn, chance);
        } else if (turn.due != null && turn.due.what() == Due.What.POLL) {
            poll(turn, chance);
        }
    }

    private void fell(Turn turn, Due due, double chance) {
        if (!due.equals(turn.due)) {
            return;
        }
        turn.due = null;
        switch (due.what()) {
            case REREAD -> reread(turn);
            case POLL -> poll(turn, chance);
            case PING -> ping(turn, chance);
            case RESTART -> turn.plan(Due.What.RESTART, rules.restartDelays().getLast());
            case SELF_PROBE -> {
                turn.probes++;
                turn.become(RESTARTING, "it is tried again, quietly");
                turn.plan(Due.What.RESTART, rules.restartDelays().getLast());
            }
        }
    }

    private static void reread(Turn turn) {
        if (FAILING.contains(turn.status()) && turn.live > 0) {
            turn.become(CONNECTING, "connecting");
            turn.become(DISCOVERING_TOOLS, "reading its tools again");
        }
    }
}
