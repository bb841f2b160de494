package dev.fusebox.gateway.share;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.RequestId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A request of the client that is not answered yet. Immutable.
final class OpenRequest {
    /// Requests that change nothing, or the same when they are executed twice. All others may have been executed
    /// when their gateway ends.
    private static final Set<String> REPEATABLE = Set.of(
            "initialize",
            "ping",
            "server/discover",
            "tools/list",
            "prompts/list",
            "prompts/get",
            "resources/list",
            "resources/templates/list",
            "resources/read",
            "resources/subscribe",
            "resources/unsubscribe",
            "completion/complete",
            "logging/setLevel",
            "subscriptions/listen");

    static final String CANCELLED = "notifications/cancelled";

    private final RequestId id;
    private final String method;
    private final byte[] frame;
    private final @Nullable GatewayLink link;

    /// A request that was not sent yet.
    OpenRequest(RequestId id, String method, byte[] frame) {
        this(id, method, frame, null);
    }

    private OpenRequest(RequestId id, String method, byte[] frame, @Nullable GatewayLink link) {
        this.id = id;
        this.method = method;
        this.frame = frame;
        this.link = link;
    }

    RequestId id() {
        return id;
    }

    String method() {
        return method;
    }

    byte[] frame() {
        return frame;
    }

    boolean wasSent() {
        return link != null;
    }

    /// The gateway that has it; null if it was not sent yet.
    @Nullable
    GatewayLink link() {
        return link;
    }

    boolean wasSentOver(GatewayLink which) {
        return which.equals(link);
    }

    /// Whether it can be sent again although it was sent before.
    boolean isRepeatable() {
        return REPEATABLE.contains(method);
    }

    OpenRequest unsent() {
        return new OpenRequest(id, method, frame);
    }

    OpenRequest over(GatewayLink other) {
        return new OpenRequest(id, method, frame, other);
    }

    /// The request that a cancellation names; null if it names none.
    static @Nullable RequestId cancelled(byte[] cancellation) {
        try {
            JsonView named = JsonView.parse(cancellation).path("params", "requestId");
            return named == null ? null : RequestId.read(named);
        } catch (JsonSyntaxError broken) {
            return null;
        }
    }
}
