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
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
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
    void failed(Turn turn, CallFailure failure, double chance) {
        if (failure.category() == FailureCategory.STDIO_EXIT) {
            crash.of(turn, new Happening.Ended(failure, null, Duration.ZERO), chance);
        } else if (turn.live == 0 && isOurs(failure)) {
            asBefore(turn, chance);
        } else if (turn.live == 0) {
            down(turn, failure, chance);
        }
    }

    /// What failed for reasons of ours says nothing about the server.
    private static boolean isOurs(CallFailure failure) {
        return switch (failure.category()) {
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
        CallFailure failure = ended.failure();
        if (failure.category() == FailureCategory.STDIO_EXIT) {
            crash.of(turn, ended, chance);
        } else if (turn.live == 0 && (isOurs(failure) || failure.code() == ErrorCode.SESSION_LOST)) {
            rested(turn);
        } else if (turn.live == 0) {
            down(turn, failure, chance);
        }
    }

    private static void rested(Turn turn) {
        if (turn.status() == ONLINE || turn.status() == DISCOVERING_TOOLS) {
            turn.rest();
        }
    }

    /// A connection's own failure is seen where connections are; a refusal of a breaker's is old news; silence has
    /// to be proven. A forbidden call of a server that could be listed is about that call.
    void callFailed(Turn turn, CallFailure failure, double chance) {
        boolean isAbout = failure.evidence().extent() == Evidence.Extent.CALL
                && failure.rejection() == null
                && failure.code() != ErrorCode.TIMEOUT
                && failure.category() != FailureCategory.PROTOCOL
                && !isOurs(failure);
        boolean isForbidden =
                turn.status() == ONLINE && FORBIDDEN.equals(failure.evidence().httpStatus());
        if (isAbout
                && !isForbidden
                && (Course.READY.contains(turn.status()) || Course.FAILING.contains(turn.status()))) {
            down(turn, failure, chance);
        }
    }

    /// It gave no sign of life.
    void silent(Turn turn, double chance) {
        if (Course.READY.contains(turn.status())) {
            down(turn, OFFLINE, "Server unreachable", chance);
        }
    }

    private void down(Turn turn, CallFailure failure, double chance) {
        if (turn.status() == PERMANENTLY_FAILED) {
            return;
        }
        turn.lastFailure = failure;
        switch (failure.category()) {
            case AUTH -> down(turn, REQUIRES_REAUTH, words(failure), chance);
            case OFFLINE -> down(turn, OFFLINE, "Server unreachable", chance);
            default -> down(turn, ERROR, failure.message(), chance);
        }
    }

    private static String words(CallFailure failure) {
        Integer status = failure.evidence().httpStatus();
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
            // The connection's failure is seen where connections are, and an earlier process says nothing of this
            // one.
            return;
        }
        CallFailure failure = unread.failure();
        if (failure.rejection() != null || isOurs(failure)) {
            putOff(turn);
            return;
        }
        // A command to a server that is connected opens no connection: all that comes of it is this reading.
        if (!Course.READY.contains(turn.status()) && turn.status() != COMMAND_RECEIVED) {
            return;
        }
        if (failure.category() == FailureCategory.AUTH) {
            down(turn, failure, chance);
            return;
        }
        turn.lastFailure = failure;
        down(turn, ERROR, "its tools could not be read: " + failure.message(), chance);
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
