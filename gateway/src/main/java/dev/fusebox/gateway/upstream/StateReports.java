package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Outcome;
import dev.fusebox.client.StateLossCause;
import dev.fusebox.gateway.session.ResponseRelay;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;

/// Reports of lost state in the results of calls, for the cases in which the connection cannot know whom they
/// concern. Pure functions, thread-safe; nothing blocks.
///
/// @param server id of the server
record StateReports(String server) {
    /// The `_meta` key that describes the replaced process in a result.
    private static final String RESTARTED = "fusebox/restarted";

    /// The outcome with a report, unless it carries one. Only a final result can.
    Outcome with(Outcome outcome, String report) {
        return outcome instanceof Outcome.Answered(Message.Answer answer) && !hasReport(answer)
                ? new Outcome.Answered(ResponseRelay.with(answer, RESTARTED, report))
                : outcome;
    }

    private static boolean hasReport(Message.Answer answer) {
        return answer.isOurs() && answer.frame().path("result", "_meta", RESTARTED) != null;
    }

    static boolean canReport(Outcome outcome) {
        return outcome instanceof Outcome.Answered(Message.Answer answer) && ResponseRelay.isFinal(answer);
    }

    /// The report for a session that has lost state where its connection cannot know it; null if there is none.
    ///
    /// @param cause null if it has lost none
    /// @param isSole whether no other session has used the process that answered: one that others use has not ended
    ///     because this session has connected again
    @Nullable
    String ofStateLoss(@Nullable StateLossCause cause, boolean isSole) {
        return switch (cause) {
            case GATEWAY_ENDED -> lost("gateway", "the gateway that this session used before has ended");
            case RECONNECTED -> isSole ? lost("gateway", "this session has connected to its gateway again") : null;
            case RECONFIGURED ->
                lost("reconfigured", server + " was changed in the configuration or disabled for a time");
            case null -> null;
        };
    }

    private String lost(String reason, String event) {
        return report(
                reason,
                event + ", and the process of " + server + " has ended; the state that it kept of the session is lost");
    }

    /// The report for a session that has another process now, because the server asks its client.
    String ofIsolation() {
        return report(
                "isolated",
                server + " has sent a request to its client while clients shared its process, so each client"
                        + " has its own process now; a new process answered this call, and what the shared one kept in"
                        + " memory is lost");
    }

    private String report(String reason, String message) {
        return new JsonWriter()
                .beginObject()
                .name("server")
                .string(server)
                .name("reason")
                .string(reason)
                .name("message")
                .string(message)
                .endObject()
                .toString();
    }
}
