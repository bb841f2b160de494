package dev.fusebox.gateway.observe;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Parser of a client's `traceparent` (W3C Trace Context, 3.2). Pure functions.
final class TraceParent {
    /// Later versions may have more fields after the flags; version `ff` is forbidden.
    private static final Pattern TEXT = Pattern.compile(
            "(?!ff)(?<version>[0-9a-f]{2})-(?<trace>[0-9a-f]{32})-(?<span>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})"
                    + "(?<more>-.*)?");

    private static final int MAX_LENGTH = 512;

    private TraceParent() {}

    /// A context without a parent, which begins a new trace, if the text is absent or invalid.
    static Context context(@Nullable String text) {
        Matcher parts = TEXT.matcher(text == null || text.length() > MAX_LENGTH ? "" : text);
        boolean isKnown = parts.matches()
                && (parts.group("more") == null || !parts.group("version").equals("00"));
        if (!isKnown) {
            return Context.root();
        }
        SpanContext parent = SpanContext.createFromRemoteParent(
                parts.group("trace"),
                parts.group("span"),
                TraceFlags.fromHex(parts.group("flags"), 0),
                TraceState.getDefault());
        return parent.isValid() ? Context.root().with(Span.wrap(parent)) : Context.root();
    }
}
