package dev.fusebox.gateway.life;

import static dev.fusebox.gateway.life.Status.COMMAND_RECEIVED;
import static dev.fusebox.gateway.life.Status.CONNECTING;
import static dev.fusebox.gateway.life.Status.DISCOVERING_TOOLS;
import static dev.fusebox.gateway.life.Status.ERROR;
import static dev.fusebox.gateway.life.Status.IDLE;
import static dev.fusebox.gateway.life.Status.OFFLINE;
import static dev.fusebox.gateway.life.Status.ONLINE;
import static dev.fusebox.gateway.life.Status.PERMANENTLY_FAILED;
import static dev.fusebox.gateway.life.Status.REQUIRES_REAUTH;
import static dev.fusebox.gateway.life.Status.RESTARTING;
import static dev.fusebox.gateway.life.Status.SYNCING_TOOLS;

import dev.fusebox.client.CallFailure;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;

/// What becomes of a server by what happens to it: pure rules, of time and chance only what they are given.
/// Immutable.
///
/// ```
/// provisioning --> command_received --v
/// idle --> connecting --> discovering_tools --> syncing_tools --> online
///              |                 |                                  |
///              '---- offline, error, requires_reauth <--------------'     until a call, a poll or a command
///              '---- restarting <-- a crash --'  --> error                too many crashes: until a call, a command or
///                                                                         the self-probe
///                                                --> permanently_failed   the same where the rules stop it: until a
///                                                                         command or the self-probe
/// ```
final class Course {
    static final Set<Status> READY = EnumSet.of(DISCOVERING_TOOLS, SYNCING_TOOLS, ONLINE);
    static final Set<Status> FAILING = EnumSet.of(OFFLINE, ERROR, REQUIRES_REAUTH);
    private static final Set<Status> ON_THE_WAY = EnumSet.of(IDLE, COMMAND_RECEIVED, RESTARTING);
    private static final String RECOVERED = "Server recovered, re-discovering tools";

    private final LifeRules rules;
    private final Rounds rounds;
    private final Fall fall;

    /// @param timeOfDay the time that a wall clock shows at a moment of the monotonic clock, for people
    Course(LifeRules rules, LongFunction<String> timeOfDay) {
        this.rules = rules;
        this.rounds = new Rounds(rules);
        this.fall = new Fall(rules, rounds, timeOfDay);
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
            case Happening.Failed(CallFailure failure) -> fall.failed(turn, failure, chance);
            case Happening.Ended ended -> fall.ended(turn, ended, chance);
            case Happening.Answered(Happening.By by) -> answered(turn, by);
            case Happening.CallFailed(CallFailure failure) -> fall.callFailed(turn, failure, chance);
            case Happening.Silent silent -> fall.silent(turn, chance);
            case Happening.Read(int restarts) -> read(turn, restarts);
            case Happening.Told told -> told(turn, chance);
            case Happening.Unread unread -> fall.unread(turn, unread, chance);
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
            int attempt = Math.max(1, turn.quick);
            turn.tell(new LifeEvent.Restarted(ended.process(), connected.process(), ended.reason(), attempt));
            turn.ended = null;
        }
    }

    /// However it got here: it is there, and what it offers is read.
    private static void discovering(Turn turn, Happening.By by) {
        if (READY.contains(turn.status())) {
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
            turn.lastFailure = null;
            rounds.ping(turn, chance);
        }
        if (turn.status() == ONLINE && turn.live == 0) {
            turn.rest();
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

    /// What was planned for looking after it is planned anew; what brings it back stays as it was told. One that
    /// was given up by other rules is not given up by these.
    private void governed(Turn turn, double chance) {
        if (turn.status() == PERMANENTLY_FAILED) {
            commanded(turn, new Happening.Commanded("its configuration has changed", true));
        } else if (turn.status() == ONLINE) {
            rounds.ping(turn, chance);
        } else if (FAILING.contains(turn.status())) {
            rounds.whileDownAnew(turn, chance);
        }
    }

    private void fell(Turn turn, Due due, double chance) {
        if (!due.equals(turn.due)) {
            return;
        }
        turn.due = null;
        switch (due.what()) {
            case REREAD -> reread(turn, chance);
            case POLL -> rounds.poll(turn, chance);
            case PING -> rounds.ping(turn, chance);
            case RESTART -> turn.plan(Due.What.RESTART, rules.restartDelays().getLast());
            case SELF_PROBE -> {
                turn.probes++;
                turn.become(RESTARTING, "it is tried again, quietly");
                turn.plan(Due.What.RESTART, rules.restartDelays().getLast());
            }
        }
    }

    /// Without a connection the reading has to open one, which its breaker may refuse.
    private void reread(Turn turn, double chance) {
        if (!FAILING.contains(turn.status())) {
            return;
        }
        if (turn.live > 0) {
            turn.become(CONNECTING, "connecting");
            turn.become(DISCOVERING_TOOLS, "reading its tools again");
        } else {
            rounds.whileDown(turn, chance);
        }
    }
}
