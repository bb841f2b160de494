package dev.fusebox.testkit.server;

import java.util.List;
import java.util.stream.Collectors;

/// A call that goes on when the client calls again and brings answers along (2026-07-28, multi round-trip
/// requests).
final class InputRequired extends NoResult {
    private static final long serialVersionUID = 1;

    private final String result;

    /// @param questions that have no answer yet
    /// @param state for the client to bring back; empty for none
    InputRequired(List<ClientQuestion> questions, String state) {
        super("the client is asked first");
        String requests = questions.stream()
                .map(question -> ToolContent.quoted(question.key()) + ":" + question.request())
                .collect(Collectors.joining(","));
        result = "{\"inputRequests\":{" + requests + "}"
                + (state.isEmpty() ? "" : ",\"requestState\":" + ToolContent.quoted(state)) + "}";
    }

    /// What the client gets instead of a result.
    String result() {
        return result;
    }
}
