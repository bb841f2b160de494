package dev.fusebox.gateway.observe;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.CallStep;
import dev.fusebox.client.resilience.PipelineCall;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A call in flight with the spans of its steps, which share the call's common attributes. Steps begin and end on
/// one thread; any thread may add events to the span of the call.
final class TracedCall implements CallStep.Listener {
    private static final String CONNECT = name(CallStep.Type.CONNECT);

    private final Tracer tracer;
    private final Span span;
    private final PipelineCall call;
    private final Attributes common;
    private int attempts;
    private @Nullable Span attempt;
    private @Nullable Wait wait;

    /// The time before the first step, while the server was being connected.
    private record Wait(Instant begin, Instant end) {}

    TracedCall(Tracer tracer, Span span, PipelineCall call, Attributes common) {
        this.tracer = tracer;
        this.span = span;
        this.call = call;
        this.common = common;
    }

    Span span() {
        return span;
    }

    @Nullable
    String tool() {
        return call.kind().tool();
    }

    /// The failure as reported to the client.
    CallFailure reported(CallFailure failure) {
        return call.reported(failure);
    }

    /// The call had to wait for a connection. Whether that succeeded is known with its next step, or its end.
    void connected(Instant begin, Instant end) {
        wait = new Wait(begin, end);
    }

    /// Ends the wait for the connection, unless a step of the call has done so: a call without any step failed to
    /// connect.
    void endWait(@Nullable CallFailure failure) {
        if (wait != null) {
            Span step = builder(CONNECT).setStartTimestamp(wait.begin()).startSpan();
            outcome(step, failure);
            step.end(wait.end());
            wait = null;
        }
    }

    @Override
    public CallStep begin(CallStep.Type type) {
        endWait(null);
        Span step = builder(name(type)).startSpan();
        if (type == CallStep.Type.ATTEMPT) {
            attempts++;
            attempt = step.setAttribute(SpanKeys.ATTEMPT, (long) attempts);
        }
        return failure -> end(type, step, failure);
    }

    private static String name(CallStep.Type type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    private SpanBuilder builder(String name) {
        return tracer.spanBuilder(name)
                .setSpanKind(SpanKind.INTERNAL)
                .setParent(Context.root().with(attempt == null ? span : attempt))
                .setAllAttributes(common);
    }

    private void end(CallStep.Type type, Span step, @Nullable CallFailure failure) {
        outcome(step, failure == null ? null : reported(failure));
        step.end();
        if (type == CallStep.Type.ATTEMPT) {
            attempt = null;
        }
    }

    private static void outcome(Span step, @Nullable CallFailure failure) {
        step.setAttribute(
                SpanKeys.OUTCOME, failure == null ? "success" : failure.code().toString());
        if (failure != null) {
            step.setAttribute(SpanKeys.ERROR, failure.code().toString());
            step.setStatus(StatusCode.ERROR, failure.message());
        }
    }
}
