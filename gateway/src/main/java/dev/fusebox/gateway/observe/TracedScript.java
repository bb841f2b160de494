package dev.fusebox.gateway.observe;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import org.jspecify.annotations.Nullable;

/// The span of a script. The script's calls run on other threads, so each names its parent in `_meta.traceparent`,
/// as the calls of a client do. Immutable except for the span.
record TracedScript(Span span) implements ScriptTrace {
    @Override
    public Message.Request within(Message.Request call) {
        JsonView params = call.params();
        SpanContext context = span.getSpanContext();
        if (params == null || !context.isValid()) {
            return call;
        }
        String parent = JsonWriter.quoted("00-" + context.getTraceId() + "-" + context.getSpanId() + "-"
                + context.getTraceFlags().asHex());
        Splice splice = Splice.of(call.frame());
        JsonView meta = params.member("_meta");
        JsonView before = meta == null ? null : meta.member("traceparent");
        if (before != null) {
            splice.replace(before, parent);
        } else if (meta != null && meta.isObject()) {
            splice.insert(meta, "\"traceparent\":" + parent);
        } else if (meta == null) {
            splice.insert(params, "\"_meta\":{\"traceparent\":" + parent + "}");
        }
        return Message.Request.of(splice.bytes());
    }

    @Override
    public void end(@Nullable String error) {
        span.setAttribute(SpanKeys.OUTCOME, error == null ? "success" : error);
        if (error != null) {
            span.setAttribute(SpanKeys.ERROR, error);
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
