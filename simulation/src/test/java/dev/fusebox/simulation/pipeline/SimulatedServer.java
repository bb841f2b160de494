package dev.fusebox.simulation.pipeline;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.WireConnection;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A simulated server that is started as a process for each connection, according to its script. For the threads of
/// one simulation.
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

    /// Replaces the script; a process that hangs continues.
    void follow(ProcessScript other) {
        script = other;
        if (current != null) {
            current.unfreeze();
        }
    }

    @Override
    public Opened open(ServerMessageHandler serverMessageHandler) {
        journal.started();
        ProcessScript.Start start = script.start();
        try {
            platform.pause(start.takes());
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        } finally {
            journal.startEnded();
        }
        return switch (start.kind()) {
            case NOT_FOUND -> refused(FailureCategory.OFFLINE, "command not found");
            case SHORTAGE -> refused(FailureCategory.LOCAL, "no descriptors left");
            case WELL, DIES, DIES_IN_HANDSHAKE, SILENT, REFUSES ->
                new Opened.Connected(connection(serverMessageHandler, start));
        };
    }

    private Opened refused(FailureCategory category, String why) {
        return new Opened.Refused(CallFailure.notSent(ErrorId.CONNECT_FAILED, category, why));
    }

    private WireConnection connection(ServerMessageHandler serverMessageHandler, ProcessScript.Start start) {
        WireConnection connection = new WireConnection(platform, name, serverMessageHandler, JsonView.MAX_DEPTH);
        current = new SimulatedProcess(platform, this, connection, start);
        all.add(current);
        connection.attach(current);
        return connection;
    }

    /// The number of running processes.
    long alive() {
        return all.stream().filter(SimulatedProcess::isAlive).count();
    }

    ProcessScript script() {
        return script;
    }

    /// Ends its process now, if there is one.
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
