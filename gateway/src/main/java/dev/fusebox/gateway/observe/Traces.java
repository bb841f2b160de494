package dev.fusebox.gateway.observe;

import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.net.URI;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Where spans of calls go: nowhere, or to a collector. Thread-safe; only [#close] blocks, for a second at most.
public interface Traces extends CallObserver, AutoCloseable {
    /// Nothing is traced, and nothing that could is loaded.
    Traces NONE = new Traces() {
        @Override
        public void watch(Breakers breakers) {
            // Nothing is told.
        }

        @Override
        public Observation begun(String server, PipelineCall call) {
            return Observation.NONE;
        }

        @Override
        public void close() {
            // There is nothing to end.
        }
    };

    /// To a collector, or nowhere.
    ///
    /// @param collector takes OTLP over HTTP; null if nothing is traced
    /// @param transports of servers, by their names: `pipe` or `tcp`; null for one that is not known
    static Traces to(Platform platform, @Nullable URI collector, Function<String, @Nullable String> transports) {
        return collector == null ? NONE : OtlpTraces.to(platform, collector, transports);
    }

    /// A script begins, because of this request.
    default ScriptTrace script(Message.Request request) {
        return ScriptTrace.NONE;
    }

    /// Tells of what happens at these breakers on the spans of calls, from now on.
    ///
    /// @param breakers that call their listeners on the thread of the call
    void watch(Breakers breakers);

    /// Sends what is left, and ends.
    @Override
    void close();
}
