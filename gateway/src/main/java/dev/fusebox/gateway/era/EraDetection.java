package dev.fusebox.gateway.era;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Promise;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The detection of a server's era: one probe at a time for all waiting callers, and none once the era is
/// known. Thread-safe; [#find] blocks.
final class EraDetection {
    private final Platform platform;
    private final EndpointFactory endpoints;
    private final EraStore memory;
    private final Supplier<EraProbe.Expected> beforehand;
    private final AtomicReference<@Nullable Promise<Finding>> finding = new AtomicReference<>();
    private volatile EraProbe.@Nullable Expected expected;

    /// The result of the detection.
    sealed interface Finding {
        /// The era is known.
        ///
        /// @param connectionSet the connection on which it was detected, and those opened later
        record Settled(ConnectionSet connectionSet, boolean isStateless) implements Finding {}

        record Unreachable(CallFailure failure) implements Finding {}

        /// The detection failed with an internal error.
        Finding FAILED = new Unreachable(
                CallFailure.notSent(ErrorId.INTERNAL, "internal error while detecting the server's era"));

        /// The endpoint is closed.
        Finding CLOSED = new Unreachable(
                CallFailure.notSent(ErrorId.CANCELLED, "the gateway is shutting down, or the server was removed"));
    }

    /// @param memory stores the result
    /// @param beforehand supplies what the first probe may expect; may block for a second
    EraDetection(
            Platform platform, EndpointFactory endpoints, EraStore memory, Supplier<EraProbe.Expected> beforehand) {
        this.platform = platform;
        this.endpoints = endpoints;
        this.memory = memory;
        this.beforehand = beforehand;
    }

    /// Detects the era; null if the deadline passes first.
    ///
    /// @param finder the client that may own the first connection
    @Nullable
    Finding find(Deadline deadline, ClientMetadata finder) {
        if (endpoints.open().isClosed()) {
            return Finding.CLOSED;
        }
        Promise<Finding> known = finding.get();
        if (known == null || known.now() instanceof Finding.Unreachable) {
            Promise<Finding> mine = new Promise<>();
            if (finding.compareAndSet(known, mine)) {
                VirtualThreadStarter.start(
                        "fusebox-era", () -> settle(mine, finder), () -> mine.complete(Finding.FAILED));
                known = mine;
            } else {
                known = finding.get();
            }
        }
        Finding now = known == null ? null : known.now();
        try {
            return now != null || known == null ? now : deadline.await(known, platform);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /// Completes the promise in any case: otherwise its waiters, and all later callers, would wait forever.
    private void settle(Promise<Finding> promise, ClientMetadata finder) {
        Finding found = Finding.FAILED;
        try {
            EraProbe.Expected before = expected;
            EraProbe probe = new EraProbe(platform, endpoints, finder, before == null ? beforehand.get() : before);
            found = switch (probe.find()) {
                case EraProbe.Probed.Unreachable(CallFailure failure) -> new Finding.Unreachable(failure);
                case EraProbe.Probed.Found target -> settled(target, finder);
            };
            expected = probe.expected();
        } finally {
            promise.complete(endpoints.open().isClosed() ? Finding.CLOSED : found);
        }
    }

    private Finding settled(EraProbe.Probed.Found found, ClientMetadata finder) {
        if (found.isProven() && endpoints.frontTarget().era() == EraPolicy.AUTO) {
            memory.keep(found.isStateless() ? EraStore.ProbeResult.MODERN : EraStore.ProbeResult.LEGACY);
        }
        ConnectionSet.Factory knowing = endpoints.knowing(found.isStateless(), found.isProven());
        ConnectionSet connectionSet = new ConnectionSet(
                knowing, endpoints.frontTarget().connectionGovernor().connectionSharing(), found.endpoint(), finder);
        return new Finding.Settled(connectionSet, found.isStateless());
    }

    /// Forgets the era, because the server has refused the first request of that era: another one has taken its
    /// place. Has no effect while a connection is in use.
    void forget(Finding.Settled settled) {
        Promise<Finding> known = finding.get();
        if (known != null
                && settled.equals(known.now())
                && endpoints.frontTarget().era() == EraPolicy.AUTO
                && settled.connectionSet().isUnused(platform.ticker().nanos())
                && finding.compareAndSet(known, null)) {
            // Asked the same way again, the other server needs only one process.
            expected = settled.isStateless() ? EraProbe.Expected.ANYTHING : EraProbe.Expected.HANDSHAKE;
            settled.connectionSet().end();
        }
    }

    /// The era, if it is known.
    Finding.@Nullable Settled settled() {
        Promise<Finding> known = finding.get();
        return known != null && known.now() instanceof Finding.Settled settled ? settled : null;
    }
}
