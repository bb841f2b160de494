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

import dev.fusebox.client.Category;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import java.time.Duration;
import java.util.function.LongFunction;

/// What becomes of a server when something goes wrong with it, or ends. Immutable.
final class Fall {
    private static final Integer FORBIDDEN = 403;

    private final LifeRules rules;
    private final Rounds rounds;
    private final Crash crash;

    Fall(LifeRules rules, Rounds rounds, LongFunction<String> timeOfDay) {
        this.rules = rules;
        this.rounds = rounds;
        this.crash = new Crash(rules, rounds, timeOfDay);
    }

    /// An attempt to connect failed.
    void failed(Turn turn, Fault fault, double chance) {
        if (fault.category() == Category.STDIO_EXIT) {
            crash.of(turn, new Happening.Ended(fault, null, Duration.ZERO), chance);
        } else if (turn.live == 0 && isOurs(fault)) {
            asBefore(turn, chance);
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

    private void asBefore(Turn turn, double chance) {
        Standing.Before before = turn.before;
        if (turn.status() != CONNECTING || before == null) {
            return;
        }
        turn.before = null;
        switch (before.status()) {
            case OFFLINE, ERROR, REQUIRES_REAUTH -> {
                turn.become(before.status(), before.message());
                crash.planAnew(turn);
                rounds.whileDown(turn, chance);
            }
            case RESTARTING -> {
                turn.become(RESTARTING, before.message());
                turn.plan(Due.What.RESTART, rules.restartDelays().getLast());
            }
            default -> turn.rest();
        }
    }

    /// A connection ended, whoever ended it.
    void ended(Turn turn, Happening.Ended ended, double chance) {
        turn.live = Math.max(0, turn.live - 1);
        Fault fault = ended.fault();
        if (fault.category() == Category.STDIO_EXIT) {
            crash.of(turn, ended, chance);
        } else if (turn.live == 0 && (isOurs(fault) || fault.code() == FaultCode.SESSION_LOST)) {
            rested(turn);
        } else if (turn.live == 0) {
            down(turn, fault, chance);
        }
    }

    private static void rested(Turn turn) {
        if (turn.status() == ONLINE || turn.status() == DISCOVERING_TOOLS) {
            turn.rest();
        }
    }

    /// A connection's own failure is seen where connections are; a refusal of a breaker's is old news; silence has to
    /// be proven. A forbidden call of a server that could be listed is about that call.
    void callFailed(Turn turn, Fault fault, double chance) {
        boolean isAbout = fault.evidence().extent() == Evidence.Extent.CALL
                && fault.rejection() == null
                && fault.code() != FaultCode.TIMEOUT
                && fault.category() != Category.PROTOCOL
                && !isOurs(fault);
        boolean isForbidden =
                turn.status() == ONLINE && FORBIDDEN.equals(fault.evidence().httpStatus());
        if (isAbout
                && !isForbidden
                && (Course.READY.contains(turn.status()) || Course.FAILING.contains(turn.status()))) {
            down(turn, fault, chance);
        }
    }

    /// It gave no sign of life.
    void silent(Turn turn, double chance) {
        if (Course.READY.contains(turn.status())) {
            down(turn, OFFLINE, "Server unreachable", chance);
        }
    }

    private void down(Turn turn, Fault fault, double chance) {
        if (turn.status() == PERMANENTLY_FAILED) {
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
        turn.fell();
        rounds.whileDown(turn, chance);
    }

    /// It answers, and nobody knows what it offers: the old list stays, and it is tried again.
    void unread(Turn turn, Happening.Unread unread, double chance) {
        if (turn.live == 0 || unread.restarts() != turn.restarts) {
            // The connection's failure is seen where connections are, and an earlier process says nothing of this one.
            return;
        }
        Fault fault = unread.fault();
        if (fault.rejection() != null || isOurs(fault)) {
            putOff(turn);
            return;
        }
        // A command to a server that is connected opens no connection: all that comes of it is this reading.
        if (!Course.READY.contains(turn.status()) && turn.status() != COMMAND_RECEIVED) {
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
        if (turn.status() == COMMAND_RECEIVED) {
            turn.become(CONNECTING, "connecting");
            turn.become(DISCOVERING_TOOLS, "discovering tools");
        }
        if (turn.status() == DISCOVERING_TOOLS || turn.status() == SYNCING_TOOLS) {
            turn.endSyncing();
            turn.become(IDLE, "connected; its tools are read as soon as it may be called");
        }
        if (turn.status() == IDLE) {
            turn.plan(Due.What.REREAD, LifeRules.LONGEST_REREAD);
        }
    }
}
