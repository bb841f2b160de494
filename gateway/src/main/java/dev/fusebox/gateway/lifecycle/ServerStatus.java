package dev.fusebox.gateway.lifecycle;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The public status of a server, with its allowed successors.
public enum ServerStatus {
    /// A variable or an input is missing.
    AWAITING_USER_CONFIG(Kind.AT_REST),
    /// It is being added.
    PROVISIONING(Kind.ON_ITS_WAY),
    /// A connection, or a new one, was requested.
    COMMAND_RECEIVED(Kind.ON_ITS_WAY),
    CONNECTING(Kind.ON_ITS_WAY),
    /// The handshake is complete; the lists are being read.
    DISCOVERING_TOOLS(Kind.ON_ITS_WAY),
    /// The lists are being announced.
    SYNCING_TOOLS(Kind.ON_ITS_WAY),
    ONLINE(Kind.AT_REST),
    /// Ready, and not connected.
    IDLE(Kind.AT_REST),
    /// Its process exited unexpectedly; another one will be started.
    RESTARTING(Kind.DOWN),
    OFFLINE(Kind.DOWN),
    ERROR(Kind.DOWN),
    REQUIRES_REAUTH(Kind.DOWN),
    /// Its process exited unexpectedly too often, and according to the settings it is not started again.
    PERMANENTLY_FAILED(Kind.DOWN),
    DISABLED(Kind.AT_REST);

    private enum Kind {
        AT_REST,
        ON_ITS_WAY,
        DOWN
    }

    /// Commands, and an operator's disable, are allowed in any status; other transitions are listed here.
    private static final Map<ServerStatus, Set<ServerStatus>> NEXT = new EnumMap<>(Map.ofEntries(
            Map.entry(AWAITING_USER_CONFIG, EnumSet.of(PROVISIONING, IDLE)),
            Map.entry(PROVISIONING, EnumSet.of(ERROR)),
            Map.entry(COMMAND_RECEIVED, EnumSet.of(CONNECTING)),
            Map.entry(
                    CONNECTING,
                    EnumSet.of(
                            DISCOVERING_TOOLS, OFFLINE, ERROR, REQUIRES_REAUTH, RESTARTING, PERMANENTLY_FAILED, IDLE)),
            Map.entry(DISCOVERING_TOOLS, EnumSet.of(SYNCING_TOOLS, ERROR, OFFLINE, REQUIRES_REAUTH, RESTARTING, IDLE)),
            Map.entry(SYNCING_TOOLS, EnumSet.of(ONLINE)),
            Map.entry(ONLINE, EnumSet.of(IDLE, OFFLINE, ERROR, REQUIRES_REAUTH, RESTARTING)),
            Map.entry(IDLE, EnumSet.of(CONNECTING)),
            Map.entry(RESTARTING, EnumSet.of(CONNECTING, ERROR, PERMANENTLY_FAILED)),
            Map.entry(OFFLINE, EnumSet.of(CONNECTING, RESTARTING)),
            Map.entry(ERROR, EnumSet.of(CONNECTING, RESTARTING)),
            Map.entry(REQUIRES_REAUTH, EnumSet.of(CONNECTING, RESTARTING)),
            Map.entry(PERMANENTLY_FAILED, EnumSet.of(RESTARTING)),
            Map.entry(DISABLED, EnumSet.of(IDLE))));

    private final Kind kind;

    ServerStatus(Kind kind) {
        this.kind = kind;
    }

    /// Whether this transition is allowed.
    boolean canBecome(ServerStatus next) {
        return next == COMMAND_RECEIVED
                || next == DISABLED
                || NEXT.getOrDefault(this, Set.of()).contains(next);
    }

    /// Whether calls are expected to fail.
    public boolean isDown() {
        return kind == Kind.DOWN;
    }

    /// Whether the status lasts until a new event.
    boolean isSettled() {
        return kind != Kind.ON_ITS_WAY;
    }

    /// The spelling on the wire, for example `permanently_failed`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
