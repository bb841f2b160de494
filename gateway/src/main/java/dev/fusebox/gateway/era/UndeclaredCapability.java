package dev.fusebox.gateway.era;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A question (elicitation, sampling, roots) for a client that did not declare the capability to answer it.
/// Servers must not send such requests (revision 2026-07-28, section "Capabilities"), and no client is shown one.
/// Pure functions, thread-safe; nothing blocks.
public final class UndeclaredCapability {
    private static final Map<String, String> CAPABILITIES = Map.of(
            "elicitation/create", "elicitation",
            "sampling/createMessage", "sampling",
            "roots/list", "roots");

    private UndeclaredCapability() {}

    /// Whether a request with this method is one. Methods of extensions are not.
    static boolean is(@Nullable String method, @Nullable JsonView capabilities) {
        String needed = method == null ? null : CAPABILITIES.get(method);
        return needed != null && (capabilities == null || capabilities.member(needed) == null);
    }

    /// The failure of a call whose `input_required` result holds one; null if it holds none.
    public static @Nullable CallFailure in(JsonView result, @Nullable JsonView capabilities) {
        JsonView questions = result.member("inputRequests");
        if (questions == null || !questions.isObject()) {
            return null;
        }
        CallFailure[] failures = new CallFailure[1];
        questions.forEachMember((key, question) -> {
            String method = question.isObject() ? question.string("method") : null;
            if (method != null && is(method, capabilities)) {
                failures[0] = failure(method);
            }
        });
        return failures[0];
    }

    private static CallFailure failure(String method) {
        String message = "the server asked the client for " + JsonWriter.quoted(method)
                + ", a capability that the client did not declare; the call was ended";
        return new CallFailure(
                ErrorId.PROTOCOL_VIOLATION, FailureCategory.POLICY, Delivery.REJECTED, message, Evidence.NONE);
    }
}
