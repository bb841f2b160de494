package dev.fusebox.gateway.observe;

import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.net.URI;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The destination of call spans: none, or a collector. Thread-safe; only [#close] blocks, for at most a second.
public interface Traces extends CallObserver, AutoCloseable {
    /// Disabled, without loading the tracing library.
    Traces NONE = new Traces() {
        @Override
        public void watch(Breakers breakers) {
            // Disabled.
        }

        @Override
        public Observation begun(String server, PipelineCall call) {
            return Observation.NONE;
        }

        @Override
        public void close() {
            // Nothing to close.
        }
    };

    /// Traces to a collector, or none.
    ///
    /// @param collector an OTLP endpoint over HTTP; null to disable tracing
    /// @param transports of servers, by their names: `pipe` or `tcp`; null for one that is not known
    static Traces to(Platform platform, @Nullable URI collector, Function<String, @Nullable String> transports) {
        return collector == null ? NONE : OtlpTraces.to(platform, collector, transports);
    }

    /// Begins the trace of a script that this request started.
    default ScriptTrace script(Message.Request request) {
        return ScriptTrace.NONE;
    }

    /// Starts to record events of these breakers on the spans of calls.
    ///
    /// @param breakers that call their listeners on the thread of the call
    void watch(Breakers breakers);

    /// Exports the remaining spans and stops.
    @Override
    void close();
}
