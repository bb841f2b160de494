package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Fault;
import dev.fusebox.client.Witness;
import org.jspecify.annotations.Nullable;

/// A witness that keeps to itself what it sees until it is known to matter. Thread-safe; nothing blocks.
final class Unheard implements Witness {
    private final Witness listener;
    private boolean speaks;
    private @Nullable Fault lastLoss;

    Unheard(Witness listener) {
        this.listener = listener;
    }

    /// What was seen so far mattered, and so does what comes, or neither does.
    void speak(boolean matters) {
        Fault loss;
        synchronized (this) {
            speaks = matters;
            loss = lastLoss;
        }
        if (matters) {
            listener.connected();
        }
        if (matters && loss != null) {
            listener.lost(loss);
        }
    }

    private synchronized boolean speaks() {
        return speaks;
    }

    @Override
    public void connected() {
        if (speaks()) {
            listener.connected();
        }
    }

    @Override
    public void failed(Fault fault) {
        if (speaks()) {
            listener.failed(fault);
        }
    }

    @Override
    public void lost(Fault fault) {
        boolean isHeard;
        synchronized (this) {
            isHeard = speaks;
            lastLoss = fault;
        }
        if (isHeard) {
            listener.lost(fault);
        }
    }
}
