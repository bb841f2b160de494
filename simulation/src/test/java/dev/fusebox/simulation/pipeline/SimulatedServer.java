package dev.fusebox.simulation.pipeline;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.WireConnection;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A server that is started as a process for each connection, as its script says. For the threads of one
/// simulation.
final class SimulatedServer implements SimulatedUpstream {
    private final Platform platform;
    private final String name;
    private final ServerJournal journal = new ServerJournal();
    private final List<SimulatedProcess> all = new ArrayList<>();
    private ProcessScript script;
    private @Nullable SimulatedProcess current;

    SimulatedServer(Platform platform, String name, ProcessScript script) {
        this.platform = platform;
        this.name = name;
        this.script = script;
    }

    /// From now on it does what this script says; a process that hangs goes on.
    void follow(ProcessScript other) {
        script = other;
        if (current != null) {
            current.thaw();
        }
    }

    @Override
    public Opened open(ServerMessageHandler serverMessageHandler) {
        journal.started();
        ProcessScript.Birth birth = script.birth();
        try {
            platform.pause(birth.takes());
        } catch (InterruptedException nobodyDoesThat) {
            throw new IllegalStateException(nobodyDoesThat);
        } finally {
            journal.startEnded();
        }
        return switch (birth.kind()) {
            case NOT_FOUND -> refused(FailureCategory.OFFLINE, "command not found");
            case SHORTAGE -> refused(FailureCategory.LOCAL, "no descriptors left");
            case WELL, DIES, DIES_SHAKING, SILENT, REFUSES ->
                new Opened.Connected(connection(serverMessageHandler, birth));
        };
    }

    private Opened refused(FailureCategory category, String why) {
        return new Opened.Refused(CallFailure.notSent(ErrorCode.CONNECT_FAILED, category, why));
    }

    private WireConnection connection(ServerMessageHandler serverMessageHandler, ProcessScript.Birth birth) {
        WireConnection connection = new WireConnection(platform, name, serverMessageHandler, JsonView.MAX_DEPTH);
        current = new SimulatedProcess(platform, this, connection, birth);
        all.add(current);
        connection.attach(current);
        return connection;
    }

    /// Its processes that run.
    long alive() {
        return all.stream().filter(SimulatedProcess::isAlive).count();
    }

    ProcessScript script() {
        return script;
    }

    /// Its process ends now, if there is one.
    void crash() {
        if (current != null) {
            current.crash();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ServerJournal journal() {
        return journal;
    }

    @Override
    public boolean saidSince(long then) {
        return current != null && current.saidSince(then);
    }
}
