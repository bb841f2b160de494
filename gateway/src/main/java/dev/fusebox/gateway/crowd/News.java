package dev.fusebox.gateway.crowd;

import dev.fusebox.protocol.Message;

/// Who wants to hear what changes at a server. Nothing here may block.
interface News {
    /// What the server offers is not what it was.
    void changed(Member member);

    /// A resource that somebody watches has changed.
    void updated(Member member, Message.Notification notification);
}
