package dev.fusebox.gateway.telemetry;

import dev.fusebox.client.CallStep;
import dev.fusebox.client.Fault;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A call that is under way, and the spans of its steps. Its steps begin and end on one thread; any thread may add
/// events to its span.
final class TracedCall implements CallStep.Listener {
    private final Tracer tracer;
    private final Span span;
    private final String server;
    private final @Nullable String tool;
    private int attempts;
    private @Nullable Span attempt;

    TracedCall(Tracer tracer, Span span, String server, @Nullable String tool) {
        this.tracer = tracer;
        this.span = span;
        this.server = server;
        this.tool = tool;
    }

    Span span() {
        return span;
    }

    @Nullable
    String tool() {
        return tool;
    }

    @Override
    public CallStep begin(CallStep.Type type) {
        Span parent = attempt == null ? span : attempt;
        Span step = tracer.spanBuilder(type.name().toLowerCase(Locale.ROOT))
                .setSpanKind(SpanKind.INTERNAL)
                .setParent(Context.root().with(parent))
                .setAttribute(SpanKeys.SERVER, server)
                .startSpan();
        if (type == CallStep.Type.ATTEMPT) {
            attempts++;
            attempt = step.setAttribute(SpanKeys.ATTEMPT, (long) attempts);
        }
        return fault -> end(type, step, fault);
    }

    private void end(CallStep.Type type, Span step, @Nullable Fault fault) {
        if (fault != null) {
            step.setAttribute(SpanKeys.ERROR, fault.code().toString());
            step.setStatus(StatusCode.ERROR, fault.message());
        }
        step.end();
        if (type == CallStep.Type.ATTEMPT) {
            attempt = null;
        }
    }
}
