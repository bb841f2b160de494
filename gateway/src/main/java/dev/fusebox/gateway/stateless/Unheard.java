package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Fault;
import dev.fusebox.client.Witness;

/// A witness that keeps to itself what it sees until it is known to matter. Thread-safe; nothing blocks.
final class Unheard implements Witness {
    private final Witness listener;
    private volatile boolean speaks;

    Unheard(Witness listener) {
        this.listener = listener;
    }

    /// What was seen so far mattered, and so does what comes, or neither does.
    void speak(boolean matters) {
        speaks = matters;
        if (matters) {
            listener.connected();
        }
    }

    @Override
    public void connected() {
        if (speaks) {
            listener.connected();
        }
    }

    @Override
    public void failed(Fault fault) {
        if (speaks) {
            listener.failed(fault);
        }
    }

    @Override
    public void lost(Fault fault) {
        if (speaks) {
            listener.lost(fault);
        }
    }
}
