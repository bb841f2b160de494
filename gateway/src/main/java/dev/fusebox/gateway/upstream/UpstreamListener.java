package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientSession;
import dev.fusebox.gateway.era.UpstreamSubscription;
import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;

/// The receiver of a server's notifications. Thread-safe; nothing blocks.
///
/// @param onStale is run when the lists of the server may have changed; must not block
/// @param session whose process sends the notifications; null if it is no single one's
record UpstreamListener(
        String server,
        CatalogListener catalogListener,
        Runnable onStale,
        @Nullable ClientSession session) implements UpstreamSubscription.Listener {
    /// Ten clients with as many subscriptions as each may have.
    private static final int MAX_WATCHED = 10_000;

    @Override
    public int most() {
        return MAX_WATCHED;
    }

    @Override
    public void told(Message.Notification notification) {
        if (notification.method().equals("notifications/resources/updated")) {
            catalogListener.updated(server, session, notification);
        } else if (notification.method().endsWith("/list_changed")) {
            onStale.run();
        }
    }

    /// The lists may have changed before the subscription began.
    @Override
    public void begun() {
        onStale.run();
    }
}
