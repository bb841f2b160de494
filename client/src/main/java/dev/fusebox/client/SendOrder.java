package dev.fusebox.client;

import org.jspecify.annotations.Nullable;

/// Order in which the messages of one client stream (standard input, one session over HTTP) reach their
/// servers. Thread-safe; nothing blocks.
///
/// Every message takes a [SendSlot] when it is read. Its own thread then takes it to its server, where it waits
/// for earlier messages to the same connection. A slot is left as soon as its message was sent, has to wait for
/// something else, or has ended, so that no message waits behind one that is itself waiting.
///
/// The held slots form a list in the order of reading, guarded by the monitor of this object. The monitor is a
/// leaf lock: nothing blocks under it, and threads are woken outside.
public final class SendOrder {
    private @Nullable SendSlot last;

    public SendOrder() {
        // No message has been read yet.
    }

    /// Takes the slot of the message that was read last. Must be called in the order of reading; the caller
    /// leaves the slot.
    public SendSlot next() {
        SendSlot slot = new SendSlot(this);
        synchronized (this) {
            slot.before = last;
            if (last != null) {
                last.after = slot;
            }
            last = slot;
        }
        return slot;
    }

    /// Removes a slot from the list. Must be called once, under the monitor.
    void remove(SendSlot slot) {
        SendSlot before = slot.before;
        SendSlot after = slot.after;
        if (before != null) {
            before.after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before = before;
        }
        slot.before = null;
        slot.after = null;
    }
}
