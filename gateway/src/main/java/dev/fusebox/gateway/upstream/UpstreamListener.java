package dev.fusebox.gateway.upstream;

import dev.fusebox.gateway.era.UpstreamSubscription;
import dev.fusebox.protocol.Message;

/// Hears a server for all clients. Thread-safe; nothing blocks.
///
/// @param onStale what it lists may have changed; must not block
record UpstreamListener(UpstreamServer server, CatalogListener catalogListener, Runnable onStale)
        implements UpstreamSubscription.Hearer {
    /// Ten clients that watch as much as they may.
    private static final int MOST_WATCHED = 10_000;

    @Override
    public int most() {
        return MOST_WATCHED;
    }

    @Override
    public void told(Message.Notification notification) {
        if (notification.method().equals("notifications/resources/updated")) {
            catalogListener.updated(server, notification);
        } else if (notification.method().endsWith("/list_changed")) {
            onStale.run();
        }
    }

    /// What was read before may have changed before anybody heard of it.
    @Override
    public void begun() {
        onStale.run();
    }
}
