package dev.fusebox.gateway.lifecycle;

import static dev.fusebox.gateway.lifecycle.ServerStatus.COMMAND_RECEIVED;
import static dev.fusebox.gateway.lifecycle.ServerStatus.CONNECTING;
import static dev.fusebox.gateway.lifecycle.ServerStatus.DISCOVERING_TOOLS;
import static dev.fusebox.gateway.lifecycle.ServerStatus.ERROR;
import static dev.fusebox.gateway.lifecycle.ServerStatus.IDLE;
import static dev.fusebox.gateway.lifecycle.ServerStatus.OFFLINE;
import static dev.fusebox.gateway.lifecycle.ServerStatus.ONLINE;
import static dev.fusebox.gateway.lifecycle.ServerStatus.PERMANENTLY_FAILED;
import static dev.fusebox.gateway.lifecycle.ServerStatus.REQUIRES_REAUTH;
import static dev.fusebox.gateway.lifecycle.ServerStatus.RESTARTING;
import static dev.fusebox.gateway.lifecycle.ServerStatus.SYNCING_TOOLS;

import dev.fusebox.client.CallFailure;
import dev.fusebox.config.LifecycleSettings;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;

/// The lifecycle state machine of a server, as pure rules: time and chance are inputs. Immutable.
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
final class LifecycleRules {
    static final Set<ServerStatus> READY = EnumSet.of(DISCOVERING_TOOLS, SYNCING_TOOLS, ONLINE);
    static final Set<ServerStatus> FAILING = EnumSet.of(OFFLINE, ERROR, REQUIRES_REAUTH);
    private static final Set<ServerStatus> ON_THE_WAY = EnumSet.of(IDLE, COMMAND_RECEIVED, RESTARTING);
    private static final String RECOVERED = "Server recovered, re-discovering tools";
    private static final String CONNECTED_BEFORE = "already connected";

    private final LifecycleSettings rules;
    private final PollSchedule pollSchedule;
    private final FailureRules failureRules;

    /// @param timeOfDay the wall-clock time of a moment of the monotonic clock, for people
    LifecycleRules(LifecycleSettings rules, LongFunction<String> timeOfDay) {
        this.rules = rules;
        this.pollSchedule = new PollSchedule(rules);
        this.failureRules = new FailureRules(rules, pollSchedule, timeOfDay);
    }

    /// The result of an input. Immutable.
    record Step(LifecycleState lifecycleState, List<LifecycleEvent> events) {
        Step {
            events = List.copyOf(events);
        }
    }

    /// @param now by the monotonic clock
    /// @param chance from 0 to 1, spreads the polls of many servers
    Step next(LifecycleState from, LifecycleInput input, long now, double chance) {
        Transition transition = new Transition(from, now);
        switch (input) {
            case LifecycleInput.Connecting connecting -> connecting(transition);
            case LifecycleInput.Connected connected -> connected(transition, connected);
            case LifecycleInput.Failed(CallFailure failure) -> failureRules.failed(transition, failure, chance);
            case LifecycleInput.Ended ended -> failureRules.ended(transition, ended, chance);
            case LifecycleInput.Answered(LifecycleInput.Detector detector) -> answered(transition, detector);
            case LifecycleInput.CallFailed(CallFailure failure) -> failureRules.callFailed(transition, failure, chance);
            case LifecycleInput.Silent silent -> failureRules.silent(transition, chance);
            case LifecycleInput.Read(int restarts) -> read(transition, restarts);
            case LifecycleInput.ListsAnnounced told -> onListsAnnounced(transition, chance);
            case LifecycleInput.ListsFailed listsFailed -> failureRules.unread(transition, listsFailed, chance);
            case LifecycleInput.OperatorRequested operatorRequested -> commanded(transition, operatorRequested);
            case LifecycleInput.LoggedIn _ -> loggedIn(transition);
            case LifecycleInput.Added(ServerStatus told, String message) -> begun(transition, told, message);
            case LifecycleInput.SettingsChanged settingsChanged -> governed(transition, chance);
            case LifecycleInput.TimerFired(NextAction nextAction) -> timerFired(transition, nextAction, chance);
        }
        return new Step(transition.lifecycleState(), transition.events());
    }

    // ---- Connecting

    private static void connecting(Transition transition) {
        boolean isFirst = transition.live == 0
                && (ON_THE_WAY.contains(transition.status()) || FAILING.contains(transition.status()));
        if (isFirst) {
            transition.previousStatus = new LifecycleState.PreviousStatus(transition.status(), transition.message());
            transition.moveTo(CONNECTING, "connecting");
            transition.nextAction = null;
        }
    }

    private static void connected(Transition transition, LifecycleInput.Connected connected) {
        transition.live++;
        transition.greeted = true;
        if (transition.live == 1) {
            discovering(
                    transition,
                    transition.isTryingLogin ? LifecycleInput.Detector.LOGIN : LifecycleInput.Detector.CALL,
                    "connecting");
        }
        transition.isTryingLogin = false;
        LifecycleState.Ended ended = transition.ended;
        if (ended != null) {
            int attempt = Math.max(1, transition.quick);
            transition.addEvent(
                    new LifecycleEvent.Restarted(ended.process(), connected.process(), ended.reason(), attempt));
            transition.ended = null;
        }
    }

    /// Regardless of its status: it is connected, and its lists are being read.
    ///
    /// @param how the message of the status `connecting`
    private static void discovering(Transition transition, LifecycleInput.Detector detector, String how) {
        if (READY.contains(transition.status())) {
            return;
        }
        if (transition.status() == PERMANENTLY_FAILED) {
            // A connection attempt from before it was given up has succeeded.
            transition.moveTo(RESTARTING, "started by an earlier attempt");
        }
        transition.moveTo(CONNECTING, how);
        transition.previousStatus = null;
        transition.nextAction = null;
        Long since = transition.downSince;
        transition.moveTo(DISCOVERING_TOOLS, since == null ? "discovering tools" : RECOVERED);
        if (since != null) {
            Duration down = Duration.ofNanos(transition.now - since);
            transition.addEvent(new LifecycleEvent.Recovered(detector.toString(), down));
            transition.downSince = null;
        }
    }

    private static void answered(Transition transition, LifecycleInput.Detector detector) {
        boolean isPutOff = transition.status() == IDLE && transition.live > 0;
        boolean isNews = isPutOff || (FAILING.contains(transition.status()) && transition.rereads == 0);
        if (isNews) {
            discovering(transition, detector, transition.live > 0 ? CONNECTED_BEFORE : "connecting");
            transition.plan(NextAction.Kind.REREAD, Duration.ZERO);
        }
    }

    /// Lists of an earlier process give no information about the one that an operator requested.
    private static void read(Transition transition, int restarts) {
        if (restarts != transition.restarts) {
            return;
        }
        transition.rereads = 0;
        if (transition.live > 0) {
            discovering(transition, LifecycleInput.Detector.POLL, CONNECTED_BEFORE);
        }
        if (transition.status() == DISCOVERING_TOOLS) {
            transition.moveTo(SYNCING_TOOLS, "announcing its tools");
        }
    }

    private void onListsAnnounced(Transition transition, double chance) {
        if (transition.status() == SYNCING_TOOLS) {
            transition.moveTo(ONLINE, "ready");
            transition.lastFailure = null;
            pollSchedule.ping(transition, chance);
        }
        if (transition.status() == ONLINE && transition.live == 0) {
            transition.rest();
        }
    }

    // ---- Commands and timers

    private static void begun(Transition transition, ServerStatus told, String message) {
        transition.begin(told, message);
        commanded(transition, new LifecycleInput.OperatorRequested(message, false));
    }

    private static void commanded(Transition transition, LifecycleInput.OperatorRequested operatorRequested) {
        transition.moveTo(COMMAND_RECEIVED, operatorRequested.message());
        if (operatorRequested.isAfresh()) {
            transition.crashCount = CrashCount.EMPTY;
            transition.quick = 0;
            transition.probes = 0;
            transition.restarts++;
        }
        transition.plan(NextAction.Kind.RESTART, Duration.ZERO);
    }

    /// The attempt to connect is the probe of the login.
    private static void loggedIn(Transition transition) {
        transition.isTryingLogin = true;
        commanded(transition, new LifecycleInput.OperatorRequested("logged in", false));
    }

    /// Health checks are rescheduled; a planned restart stays as announced. A permanently failed server is
    /// released if the new settings would not stop it.
    private void governed(Transition transition, double chance) {
        if (transition.status() == PERMANENTLY_FAILED) {
            commanded(transition, new LifecycleInput.OperatorRequested("its configuration has changed", true));
        } else if (transition.status() == ONLINE) {
            pollSchedule.ping(transition, chance);
        } else if (FAILING.contains(transition.status())) {
            pollSchedule.rescheduleWhileDown(transition, chance);
        }
    }

    private void timerFired(Transition transition, NextAction nextAction, double chance) {
        if (!nextAction.equals(transition.nextAction)) {
            return;
        }
        transition.nextAction = null;
        switch (nextAction.kind()) {
            case REREAD -> reread(transition, chance);
            case POLL -> pollSchedule.poll(transition, chance);
            case PING -> pollSchedule.ping(transition, chance);
            case RESTART ->
                transition.plan(NextAction.Kind.RESTART, rules.restartDelays().getLast());
            case SELF_PROBE -> {
                transition.probes++;
                transition.moveTo(RESTARTING, "self-probe");
                transition.plan(NextAction.Kind.RESTART, rules.restartDelays().getLast());
            }
        }
    }

    /// Without a connection the read has to open one, which the breaker may reject.
    private void reread(Transition transition, double chance) {
        if (!FAILING.contains(transition.status())) {
            return;
        }
        if (transition.live > 0) {
            transition.moveTo(CONNECTING, CONNECTED_BEFORE);
            transition.moveTo(DISCOVERING_TOOLS, "refreshing its tools");
        } else {
            pollSchedule.whileDown(transition, chance);
        }
    }
}
