package dev.fusebox.gateway.observe;

import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Ticker;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;

/// A span exporter that logs lost spans, at most one line a minute. Thread-safe; nothing blocks.
final class LoggedExporter implements SpanExporter {
    private static final System.Logger LOG = LazyLoggers.of(LoggedExporter.class);
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

    private final SpanExporter exporter;
    private final URI endpoint;
    private final Ticker ticker;
    private long lost;
    private boolean isLogged;
    private long loggedAt;

    LoggedExporter(SpanExporter exporter, URI endpoint, Ticker ticker) {
        this.exporter = exporter;
        this.endpoint = endpoint;
        this.ticker = ticker;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        CompletableResultCode result = exporter.export(spans);
        result.whenComplete(() -> {
            if (!result.isSuccess()) {
                failed(count);
            }
        });
        return result;
    }

    private void failed(int count) {
        long all;
        synchronized (this) {
            lost += count;
            long now = ticker.nanos();
            if (isLogged && now - loggedAt < LOG_INTERVAL.toNanos()) {
                return;
            }
            isLogged = true;
            loggedAt = now;
            all = lost;
            lost = 0;
        }
        LOG.log(
                Level.WARNING,
                all + " spans could not be exported to " + endpoint + " and are lost; calls are not affected");
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
