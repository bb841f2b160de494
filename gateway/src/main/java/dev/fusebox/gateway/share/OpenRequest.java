package dev.fusebox.gateway.share;

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
}
