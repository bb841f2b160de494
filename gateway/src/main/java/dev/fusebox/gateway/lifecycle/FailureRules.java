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
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.config.LifecycleSettings;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongFunction;

/// The rules for failures of a server and ends of its connections. Immutable.
final class FailureRules {
    private static final Integer FORBIDDEN = 403;
    private static final Set<ErrorId> LOGIN = EnumSet.of(
            ErrorId.LOGIN_REQUIRED,
            ErrorId.HEADERS_HELPER_FAILED,
            ErrorId.ISSUER_DOWN,
            ErrorId.KEYRING_LOCKED,
            ErrorId.TOKEN_FILE_UNSAFE,
            ErrorId.SCOPE_MISSING);
    /// There is a login, which cannot be used now.
    private static final Set<ErrorId> LOGIN_KEPT =
            EnumSet.of(ErrorId.ISSUER_DOWN, ErrorId.KEYRING_LOCKED, ErrorId.TOKEN_FILE_UNSAFE);

    private final LifecycleSettings rules;
    private final PollSchedule pollSchedule;
    private final CrashRules crashRules;

    FailureRules(LifecycleSettings rules, PollSchedule pollSchedule, LongFunction<String> timeOfDay) {
        this.rules = rules;
        this.pollSchedule = pollSchedule;
        this.crashRules = new CrashRules(rules, pollSchedule, timeOfDay);
    }

    /// An attempt to connect failed.
    void failed(Transition transition, CallFailure failure, double chance) {
        if (failure.category() == FailureCategory.STDIO_EXIT) {
            crashRules.of(transition, new LifecycleInput.Ended(failure, null, Duration.ZERO), chance);
        } else if (transition.live == 0 && isOurs(failure)) {
            asBefore(transition, chance);
        } else if (transition.live == 0) {
            down(transition, failure, chance);
        }
    }

    /// A failure of the gateway itself gives no information about the server.
    private static boolean isOurs(CallFailure failure) {
        return switch (failure.category()) {
            case LOCAL, CANCELLED, POLICY -> true;
            case AUTH, OFFLINE, HTTP, STDIO_EXIT, OTHER, PROTOCOL -> false;
        };
    }

    private void asBefore(Transition transition, double chance) {
        LifecycleState.PreviousStatus previousStatus = transition.previousStatus;
        if (transition.status() != CONNECTING || previousStatus == null) {
            return;
        }
        transition.previousStatus = null;
        switch (previousStatus.status()) {
            case OFFLINE, ERROR, REQUIRES_REAUTH -> {
                transition.moveTo(previousStatus.status(), previousStatus.message());
                crashRules.replanSelfProbe(transition);
                pollSchedule.whileDown(transition, chance);
            }
            case RESTARTING -> {
                transition.moveTo(RESTARTING, previousStatus.message());
                transition.plan(NextAction.Kind.RESTART, rules.restartDelays().getLast());
            }
            default -> transition.rest();
        }
    }

    /// A connection ended, for any reason.
    void ended(Transition transition, LifecycleInput.Ended ended, double chance) {
        transition.live = Math.max(0, transition.live - 1);
        CallFailure failure = ended.failure();
        if (failure.category() == FailureCategory.STDIO_EXIT) {
            crashRules.of(transition, ended, chance);
        } else if (transition.live == 0 && (isOurs(failure) || failure.id() == ErrorId.SESSION_LOST)) {
            rested(transition);
        } else if (transition.live == 0) {
            down(transition, failure, chance);
        }
    }

    private static void rested(Transition transition) {
        if (transition.status() == ONLINE || transition.status() == DISCOVERING_TOOLS) {
            transition.rest();
        }
    }

    /// Failures of the connection itself are reported by the connection; a breaker's rejection is no new
    /// information; silence has to be confirmed. A forbidden call of a server whose list was readable concerns
    /// that call only.
    void callFailed(Transition transition, CallFailure failure, double chance) {
        boolean isAbout = failure.evidence().extent() == Evidence.Extent.CALL
                && failure.rejection() == null
                && failure.code() != ErrorCode.TIMEOUT
                && failure.category() != FailureCategory.PROTOCOL
                && !isOurs(failure);
        boolean isForbidden = transition.status() == ONLINE
                && FORBIDDEN.equals(failure.evidence().httpStatus());
        if (isAbout
                && !isForbidden
                && (LifecycleRules.READY.contains(transition.status())
                        || LifecycleRules.FAILING.contains(transition.status()))) {
            down(transition, failure, chance);
        }
    }

    /// It did not answer a ping.
    void silent(Transition transition, double chance) {
        if (LifecycleRules.READY.contains(transition.status())) {
            down(transition, OFFLINE, "Server unreachable", chance);
        }
    }

    private void down(Transition transition, CallFailure failure, double chance) {
        if (transition.status() == PERMANENTLY_FAILED) {
            return;
        }
        transition.lastFailure = failure;
        switch (failure.category()) {
            case AUTH -> {
                ServerStatus status = LOGIN_KEPT.contains(failure.id()) ? OFFLINE : REQUIRES_REAUTH;
                down(transition, status, words(failure), chance);
            }
            case OFFLINE -> down(transition, OFFLINE, "Server unreachable", chance);
            default -> down(transition, ERROR, failure.message(), chance);
        }
    }

    /// The message of a login that is missing or cannot be used contains the command that helps.
    private static String words(CallFailure failure) {
        if (LOGIN.contains(failure.id())) {
            return failure.message();
        }
        Integer status = failure.evidence().httpStatus();
        return FORBIDDEN.equals(status)
                ? "Access forbidden (HTTP 403)"
                : "Authentication failed" + (status == null ? "" : " (HTTP " + status + ")");
    }

    private void down(Transition transition, ServerStatus status, String message, double chance) {
        transition.endSyncing();
        if (transition.status() != status && !transition.status().canBecome(status)) {
            transition.moveTo(CONNECTING, "connecting");
        }
        transition.moveTo(status, message);
        transition.wentDown();
        pollSchedule.whileDown(transition, chance);
    }

    /// It answers, but its lists cannot be read: the old lists stay, and reading is retried.
    void unread(Transition transition, LifecycleInput.ListsFailed listsFailed, double chance) {
        if (transition.live == 0 || listsFailed.restarts() != transition.restarts) {
            // Failures of the connection are reported by the connection, and an earlier process gives no
            // information about this one.
            return;
        }
        CallFailure failure = listsFailed.failure();
        if (failure.rejection() != null || isOurs(failure)) {
            putOff(transition);
            return;
        }
        // A command to a connected server opens no connection: this read is its only result.
        if (!LifecycleRules.READY.contains(transition.status()) && transition.status() != COMMAND_RECEIVED) {
            return;
        }
        if (failure.category() == FailureCategory.AUTH) {
            down(transition, failure, chance);
            return;
        }
        transition.lastFailure = failure;
        down(transition, ERROR, "cannot read its tools: " + failure.message(), chance);
        long pause = LifecycleSettings.FIRST_REREAD.toNanos() << Math.min(transition.rereads, 10);
        transition.plan(
                NextAction.Kind.REREAD, Duration.ofNanos(Math.min(pause, LifecycleSettings.LONGEST_REREAD.toNanos())));
        transition.rereads++;
    }

    /// The lists have not been requested: they are read when that is possible, at the latest with the next call
    /// that it answers.
    private static void putOff(Transition transition) {
        if (transition.status() == COMMAND_RECEIVED) {
            transition.moveTo(CONNECTING, "connecting");
            transition.moveTo(DISCOVERING_TOOLS, "discovering tools");
        }
        if (transition.status() == DISCOVERING_TOOLS || transition.status() == SYNCING_TOOLS) {
            transition.endSyncing();
            transition.moveTo(IDLE, "connected; its tools are read as soon as calls are possible");
        }
        if (transition.status() == IDLE) {
            transition.plan(NextAction.Kind.REREAD, LifecycleSettings.LONGEST_REREAD);
        }
    }
}
