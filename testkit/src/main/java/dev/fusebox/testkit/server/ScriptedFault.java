package dev.fusebox.testkit.server;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One thing a server does wrong, and at which of its calls.
///
/// @param value what the kind says: milliseconds, bytes, a code, a name; empty for its preset
/// @param first the first `tools/call` it happens at, counted from one over the life of the process
/// @param last the last one
public record ScriptedFault(FaultKind kind, String value, int first, int last) {
    private static final Pattern TEXT = Pattern.compile("([a-z0-9-]+)(?:=([^@]*))?(?:@(\\d+)(-(\\d*))?)?");

    public ScriptedFault {
        if (first < 1 || last < first) {
            throw new IllegalArgumentException("calls " + first + " to " + last + ": the first call is 1");
        }
    }

    /// At every call, with the preset value.
    public static ScriptedFault of(FaultKind kind) {
        return new ScriptedFault(kind, "", 1, Integer.MAX_VALUE);
    }

    /// At every call.
    public static ScriptedFault of(FaultKind kind, Object value) {
        return new ScriptedFault(kind, String.valueOf(value), 1, Integer.MAX_VALUE);
    }

    /// Reads `name`, `name=value`, and each with `@3` (at the third call), `@3-5` or `@3-` behind it.
    public static ScriptedFault parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no fault; write name=value@call");
        }
        String value = matcher.group(2) == null ? "" : matcher.group(2);
        int first = matcher.group(3) == null ? 1 : Integer.parseInt(matcher.group(3));
        return new ScriptedFault(kind(matcher.group(1)), value, first, last(matcher, first));
    }

    private static int last(Matcher matcher, int first) {
        if (matcher.group(3) == null) {
            return Integer.MAX_VALUE;
        }
        if (matcher.group(4) == null) {
            return first;
        }
        return matcher.group(5).isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(matcher.group(5));
    }

    private static FaultKind kind(String name) {
        return Arrays.stream(FaultKind.values())
                .filter(kind -> kind.text().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no fault is named '" + name + "'; there are "
                        + Arrays.stream(FaultKind.values()).map(FaultKind::text).toList()));
    }

    /// The same at one call only.
    public ScriptedFault at(int call) {
        return new ScriptedFault(kind, value, call, call);
    }

    /// The same from one call on.
    public ScriptedFault from(int call) {
        return new ScriptedFault(kind, value, call, Integer.MAX_VALUE);
    }

    boolean isAt(int call) {
        return first <= call && call <= last;
    }

    /// The value, or the preset of the kind.
    public String effectiveValue() {
        return value.isEmpty() ? kind.preset() : value;
    }

    /// The value as a number.
    long number() {
        try {
            return Long.parseLong(effectiveValue());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(kind.text() + " takes a number, not '" + effectiveValue() + "'", e);
        }
    }

    /// As [#parse] reads it.
    public String text() {
        String calls = first == 1 && last == Integer.MAX_VALUE
                ? ""
                : last == first ? "@" + first : "@" + first + "-" + (last == Integer.MAX_VALUE ? "" : last);
        return kind.text() + (value.isEmpty() ? "" : "=" + value) + calls;
    }
}
