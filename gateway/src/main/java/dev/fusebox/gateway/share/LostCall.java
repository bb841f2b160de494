package dev.fusebox.gateway.share;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ErrorId;
import dev.fusebox.gateway.session.FailureFrames;
import dev.fusebox.gateway.tools.QualifiedToolName;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.List;

/// The answer to a request that its gateway did not answer. Pure functions. The classes that it needs are loaded
/// when a gateway ends, not in every connector.
final class LostCall {
    private static final String SEPARATOR = "__";

    private LostCall() {}

    static byte[] answer(OpenRequest open, String why) {
        Message.Request request = Message.Request.of(open.frame());
        CallFailure failure = open.wasSent()
                ? CallFailure.of(ErrorId.OUTCOME_UNKNOWN, why)
                : CallFailure.notSent(ErrorId.CONNECT_FAILED, why);
        CallFailure named = named(request, failure);
        return ClientMetadata.isIn(request)
                ? FailureFrames.stateless(request, "fusebox", named)
                : FailureFrames.of(request, "fusebox", named);
    }

    /// With server and tool as the call names them; the lists of the gateway are not known here.
    private static CallFailure named(Message.Request request, CallFailure failure) {
        JsonView params = request.params();
        String name = params == null ? null : params.string("name");
        if (params == null || name == null || !request.method().equals("tools/call")) {
            return failure;
        }
        JsonView arguments = params.member("arguments");
        QualifiedToolName called = arguments == null ? null : QualifiedToolName.named(arguments);
        if (name.equals("mcp_call") && called != null) {
            return failure.at(called.server(), called.tool(), List.of());
        }
        int separator = name.indexOf(SEPARATOR);
        return separator <= 0
                ? failure
                : failure.at(name.substring(0, separator), name.substring(separator + SEPARATOR.length()), List.of());
    }
}
