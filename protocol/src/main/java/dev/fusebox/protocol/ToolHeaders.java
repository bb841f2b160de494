package dev.fusebox.protocol;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// The header parameters of a server's tools, read from its tool lists. Thread-safe; never blocks.
public final class ToolHeaders {
    /// More than any server has; further tools are treated as tools without headers.
    private static final int MOST = 10_000;

    private final ConcurrentMap<String, ParameterHeaders> known = new ConcurrentHashMap<>();

    public ToolHeaders() {
        // No list has been seen yet.
    }

    /// Whether a list contains header parameters to add or to remove. Most lists do not, and need not be read tool
    /// by tool.
    public boolean concerns(JsonView tools) {
        return !known.isEmpty() || tools.json().contains(ParameterHeaders.MARK);
    }

    /// Records the header parameters of a listed tool. Returns the reason if they are invalid, in which case the
    /// tool cannot be called over HTTP; otherwise null.
    public @Nullable String learn(JsonView tool) {
        String name = tool.string("name");
        JsonView schema = tool.member("inputSchema");
        if (name == null || schema == null) {
            return null;
        }
        try {
            ParameterHeaders headers = ParameterHeaders.of(schema);
            if (headers.isEmpty()) {
                known.remove(name);
            } else if (known.size() < MOST || known.containsKey(name)) {
                known.put(name, headers);
            }
            return null;
        } catch (ParameterHeaders.Invalid invalid) {
            known.remove(name);
            return invalid.getMessage();
        }
    }

    /// The header parameters of the tool in a call.
    ///
    /// @param params of the call
    public ParameterHeaders of(@Nullable JsonView params) {
        String name = params == null ? null : params.string("name");
        return name == null ? ParameterHeaders.NONE : known.getOrDefault(name, ParameterHeaders.NONE);
    }
}
