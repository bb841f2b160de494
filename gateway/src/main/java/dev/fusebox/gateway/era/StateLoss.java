package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionListener;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.ResponseRelay;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The detector of lost session state: it notices that the process of one session was replaced, and reports it
/// once, in the next result of a call. Thread-safe; nothing blocks. Its monitor is a leaf.
///
/// ```
/// unused -- call --> used -- process ends --> lost -- next process, next result --> used
/// ```
final class StateLoss implements ConnectionListener {
    /// The `_meta` key that describes the replaced process in a result.
    private static final String RESTARTED = "fusebox/restarted";

    /// Methods that leave no state in a server.
    private static final Set<String> WITHOUT_STATE =
            Set.of("initialize", "ping", "server/discover", "subscriptions/listen");

    private final String server;
    private final ConnectionListener listener;
    private final @Nullable ClientSession owner;
    private int calls;
    private boolean used;
    private @Nullable StateLost loss;

    /// Whether the owner reports the loss.
    private volatile boolean isReportedByOwner;

    /// @param listener receives all connection events as well
    /// @param owner the session that has the connection to itself; null if that is the client of the front end
    StateLoss(String server, ConnectionListener listener, @Nullable ClientSession owner) {
        this.server = server;
        this.listener = listener;
        this.owner = owner;
    }

    /// The same server, with its connections watched for one session.
    FrontTarget over(FrontTarget frontTarget) {
        return frontTarget.under(frontTarget.connectionGovernor().withListener(this));
    }

    // ---- Calls

    /// Notes the begin of a call of the session.
    synchronized void begin(Call call) {
        calls += leavesState(call) ? 1 : 0;
    }

    private static boolean leavesState(Call call) {
        String method = call.request().method();
        return !method.endsWith("/list") && !WITHOUT_STATE.contains(method);
    }

    /// Notes the end of a call. Only a call that reached the process can have left state there.
    ///
    /// @param outcome null if an internal error ended it
    synchronized void end(Call call, @Nullable Outcome outcome) {
        if (!leavesState(call)) {
            return;
        }
        calls--;
        used |= outcome instanceof Outcome.Answered
                || (outcome instanceof Outcome.Failed(CallFailure failure)
                        && failure.delivery() == Delivery.UNKNOWN
                        && loss == null);
    }

    /// The outcome of a call, with the report of a loss if one is due.
    Outcome report(Call call, Outcome outcome) {
        if (!ConnectionSlot.isWork(call)
                || !(outcome instanceof Outcome.Answered(Message.Answer answer))
                || !ResponseRelay.isFinal(answer)) {
            return outcome;
        }
        StateLost untold = take();
        return untold == null || isReportedByOwner
                ? outcome
                : new Outcome.Answered(ResponseRelay.with(answer, RESTARTED, note(untold)));
    }

    private synchronized @Nullable StateLost take() {
        StateLost untold = loss;
        if (untold == null || untold.next() == null) {
            return null;
        }
        loss = null;
        return untold;
    }

    private String note(StateLost lost) {
        return new JsonWriter()
                .beginObject()
                .name("server")
                .string(server)
                .name("reason")
                .string(lost.reason())
                .name("message")
                .string("the process of " + server + " that belonged to this session " + words(lost)
                        + "; a new process answered this call, and the state of the session is lost")
                .endObject()
                .toString();
    }

    private static String words(StateLost lost) {
        return switch (lost.reason()) {
            case "crashed" -> "crashed";
            case "idle" -> "was ended after being idle for too long";
            default -> "was ended";
        };
    }

    // ---- The process

    @Override
    public void connecting() {
        listener.connecting();
    }

    @Override
    public void connected(Connection connection) {
        listener.connected(connection);
        StateLost complete = replaced(connection.process());
        if (complete != null) {
            listener.stateLost(complete);
        }
    }

    private synchronized @Nullable StateLost replaced(@Nullable Long next) {
        StateLost before = loss;
        if (before == null || before.next() != null || next == null) {
            return null;
        }
        loss = new StateLost(before.process(), next, before.reason());
        return loss;
    }

    @Override
    public void failed(CallFailure failure) {
        listener.failed(failure);
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        Long process = connection.process();
        if (process != null && connection.ending() != Connection.Ending.BRIEF) {
            StateLost lost = note(process, reason(connection, failure));
            if (lost != null && owner != null) {
                isReportedByOwner = owner.stateLost(note(lost));
            }
        }
        listener.lost(connection, failure);
    }

    /// A loss that was not reported yet is reported with the latest process. Null if no state is lost.
    private synchronized @Nullable StateLost note(long process, String reason) {
        boolean hasState = used || calls > 0;
        used = false;
        if (hasState || loss != null) {
            loss = new StateLost(process, null, reason);
        }
        return hasState ? loss : null;
    }

    private static String reason(Connection connection, CallFailure failure) {
        if (connection.ending() == Connection.Ending.IDLE) {
            return "idle";
        }
        return failure.category() == FailureCategory.STDIO_EXIT ? "crashed" : "ended";
    }

    @Override
    public void stateLost(StateLost lost) {
        listener.stateLost(lost);
    }
}
