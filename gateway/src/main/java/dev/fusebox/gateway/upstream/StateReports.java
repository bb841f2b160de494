package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Outcome;
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

    /// The report for a session that has lost state with a former gateway; null if it has lost none.
    @Nullable
    String ofFormerGateway(ClientSession session) {
        return session.takesFormerLoss(server)
                ? report(
                        "gateway",
                        "the gateway that this session used before has ended, and the process of " + server
                                + " with it; a new process answered this call, and the state of the session is lost")
                : null;
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
