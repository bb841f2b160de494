package dev.fusebox.doctor;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.gateway.era.DetectedEndpoint;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Checks of one server by connecting as a client: handshake, tools, other lists, round trips. Each step is
/// bounded by the time limits of the server and of the whole run. For one thread; [#close] ends what it opened.
final class LiveChecks implements AutoCloseable {
    private static final int ROUND_TRIPS = 3;

    private final Platform platform;
    private final FrontTarget frontTarget;
    private final FailureDiagnosis failureDiagnosis;
    private final Notes notes;
    private final List<ReconnectingConnection> opened = new ArrayList<>();
    /// The metadata of each request in the modern era; null in the legacy era.
    private @Nullable JsonView meta;
    /// The capabilities that the server declared; null if it did not.
    private @Nullable JsonView capabilities;

    /// Receives the findings; the end is a time of the monotonic clock.
    record Notes(CheckResults results, long end) {}

    LiveChecks(Platform platform, FrontTarget frontTarget, FailureDiagnosis failureDiagnosis, Notes notes) {
        this.platform = platform;
        this.failureDiagnosis = failureDiagnosis;
        this.notes = notes;
        Duration connect = sooner(frontTarget.settings().connectTimeout(), platform, notes);
        this.frontTarget = frontTarget.with(frontTarget.settings().withConnectTimeout(connect));
    }

    void run() {
        ReconnectingConnection reconnectingConnection = connected();
        if (reconnectingConnection != null) {
            if (tools(reconnectingConnection) && lists(reconnectingConnection)) {
                roundTrips(reconnectingConnection);
            }
            footprint(reconnectingConnection);
        }
    }

    // ---- Handshake

    private @Nullable ReconnectingConnection connected() {
        notes.results().step("initialize");
        long begun = platform.ticker().nanos();
        if (frontTarget.era() == EraPolicy.STATELESS) {
            return discovered(begun, null);
        }
        ReconnectingConnection reconnectingConnection =
                opened(frontTarget.greeting(platform, ServerMessageHandler.NONE, "{}"));
        return switch (reconnectingConnection.initialize(deadline())) {
            case ReconnectingConnection.HandshakeResult.Completed(JsonView result) -> {
                recordHandshake(reconnectingConnection, result, begun);
                yield reconnectingConnection;
            }
            case ReconnectingConnection.HandshakeResult.Refused(CallFailure failure) -> {
                boolean mayBeOfTheOtherEra =
                        frontTarget.era() == EraPolicy.AUTO && failure.category() == FailureCategory.OTHER;
                yield mayBeOfTheOtherEra ? discovered(begun, failure) : failed(Check.HANDSHAKE, failure, "initialize");
            }
        };
    }

    /// @param before the failure of the legacy handshake; null if it was not tried
    private @Nullable ReconnectingConnection discovered(long begun, @Nullable CallFailure before) {
        Message.Request question = DetectedEndpoint.question();
        ReconnectingConnection reconnectingConnection = opened(frontTarget.plain(platform, ServerMessageHandler.NONE));
        Duration limit = before == null
                ? frontTarget.settings().connectTimeout()
                : frontTarget.eras().probe();
        Outcome outcome = reconnectingConnection.call(new Call(question, deadline(limit), Caller.SILENT));
        if (outcome instanceof Outcome.Answered(Message.Answer answer) && isStateless(answer.result())) {
            JsonView params = question.params();
            meta = params == null ? null : params.member("_meta");
            recordHandshake(reconnectingConnection, answer.result(), begun);
            return reconnectingConnection;
        }
        if (before != null) {
            return failed(Check.HANDSHAKE, before, "initialize");
        }
        return outcome instanceof Outcome.Failed(CallFailure failure)
                ? failed(Check.HANDSHAKE, failure, "server/discover")
                : refused("server/discover", outcome);
    }

    /// Servers of the legacy era may answer any request with a result, too.
    private static boolean isStateless(@Nullable JsonView result) {
        return result != null && result.member("supportedVersions") != null;
    }

    private @Nullable ReconnectingConnection failed(Check check, CallFailure failure, String operation) {
        notes.results().add(failureDiagnosis.of(check, failure, operation));
        return null;
    }

    private @Nullable ReconnectingConnection refused(String method, Outcome outcome) {
        String cause = method + " was rejected: " + error(outcome);
        notes.results().add(failureDiagnosis.refused(cause));
        return null;
    }

    private void recordHandshake(
            ReconnectingConnection reconnectingConnection, @Nullable JsonView handshakeResult, long begun) {
        Connection connection = reconnectingConnection.connected();
        Long process = connection == null ? null : connection.process();
        notes.results()
                .add(
                        process == null
                                ? Finding.ok(Check.NETWORK, "connected")
                                : Finding.ok(Check.SPAWN, "started as process " + process));
        capabilities = handshakeResult == null ? null : handshakeResult.member("capabilities");
        String words = handshakeResult == null ? "" : ServerInfoText.words(handshakeResult);
        notes.results().add(Finding.ok(Check.HANDSHAKE, "initialize in " + millis(begun) + " ms: " + words));
        if (handshakeResult != null && HiddenCharacters.hasHidden(handshakeResult)) {
            String cause = "its handshake contains hidden characters";
            notes.results()
                    .add(Finding.warn(Check.HANDSHAKE, ErrorId.HIDDEN_TEXT, cause)
                            .withRemedy("review its instructions in its source, and report it to the server's author"));
        }
    }

    // ---- Lists

    private boolean tools(ReconnectingConnection reconnectingConnection) {
        notes.results().step("tools/list");
        ToolChecks survey = new ToolChecks(params -> ask(reconnectingConnection, "tools/list", params));
        ToolChecks.Result result = survey.run();
        notes.results().lists(survey.tools(), survey.tokens());
        result.findings(failureDiagnosis).forEach(notes.results()::add);
        return result.isAlive();
    }

    /// Failing lists are warnings, because the gateway works without them.
    private boolean lists(ReconnectingConnection reconnectingConnection) {
        ListChecks survey = new ListChecks((method, members) -> {
            notes.results().step(method);
            return ask(reconnectingConnection, method, members);
        });
        ListChecks.Result result = survey.run(capabilities, failureDiagnosis);
        result.findings().forEach(notes.results()::add);
        return result.isAlive();
    }

    private void roundTrips(ReconnectingConnection reconnectingConnection) {
        notes.results().step("ping");
        String method = meta == null ? "ping" : "server/discover";
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < ROUND_TRIPS; i++) {
            long begun = platform.ticker().nanos();
            if (ask(reconnectingConnection, method, "") instanceof Outcome.Failed(CallFailure failure)) {
                notes.results().add(failureDiagnosis.of(Check.ROUND_TRIP, failure, method));
                return;
            }
            times.add(platform.ticker().nanos() - begun);
        }
        Collections.sort(times);
        long micros = times.get(ROUND_TRIPS / 2) / 1000;
        String time = micros / 1000 + "." + (micros % 1000) / 100 + " ms";
        notes.results()
                .add(Finding.ok(
                        Check.ROUND_TRIP, method + " answered in " + time + " (median of " + ROUND_TRIPS + ")"));
    }

    private void footprint(ReconnectingConnection reconnectingConnection) {
        Connection connection = reconnectingConnection.connected();
        Long process = connection == null ? null : connection.process();
        if (process != null) {
            notes.results().takes(ProcessMemory.ofSession(platform, process));
        }
    }

    // ---- Requests

    /// @param members of the parameters, without braces
    private Outcome ask(ReconnectingConnection reconnectingConnection, String method, String members) {
        JsonView known = meta;
        String own = known == null ? "" : "\"_meta\":" + known.json() + (members.isEmpty() ? "" : ",");
        byte[] frame = JsonRpcFrames.request(RequestId.of("doctor"), method, "{" + own + members + "}");
        Deadline deadline = deadline(frontTarget.settings().timeout());
        return reconnectingConnection.call(new Call(Message.Request.of(frame), deadline, Caller.SILENT));
    }

    private Deadline deadline(Duration usual) {
        return new Deadline(sooner(usual, platform, notes), Duration.ZERO, platform.ticker());
    }

    private static Duration sooner(Duration usual, Platform platform, Notes notes) {
        Duration left =
                Duration.ofNanos(Math.max(1, notes.end() - platform.ticker().nanos()));
        // A little before the end, so that the failure itself is reported and not that time is over.
        Duration most = left.multipliedBy(8).dividedBy(10);
        return usual.compareTo(most) < 0 ? usual : most;
    }

    /// For steps with a time limit of their own.
    private Deadline deadline() {
        return new Deadline(
                Duration.ofNanos(Math.max(1, notes.end() - platform.ticker().nanos())),
                Duration.ZERO,
                platform.ticker());
    }

    private long millis(long since) {
        return (platform.ticker().nanos() - since) / 1_000_000;
    }

    static String error(Outcome outcome) {
        JsonView error = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.error() : null;
        String words = error == null ? null : error.string("message");
        return words == null ? "no reason given" : words;
    }

    private ReconnectingConnection opened(ReconnectingConnection reconnectingConnection) {
        opened.add(reconnectingConnection);
        return reconnectingConnection;
    }

    @Override
    public void close() {
        opened.forEach(ReconnectingConnection::close);
    }
}
