package dev.fusebox.protocol;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// Which tools of a server want arguments in headers, as far as the lists that passed have said so. Thread-safe;
/// nothing blocks.
public final class ToolHeaders {
    /// More tools than that want headers on no server; new ones beyond it are taken for tools that want none.
    private static final int MOST = 10_000;

    private final ConcurrentMap<String, ParameterHeaders> known = new ConcurrentHashMap<>();

    public ToolHeaders() {
        // No list has passed yet.
    }

    /// Whether there is anything in a list to be learned, or to be forgotten. Most lists have nothing to do with
    /// it, and need not be looked at tool by tool.
    public boolean concerns(JsonView tools) {
        return !known.isEmpty() || tools.json().contains(ParameterHeaders.MARK);
    }

    /// Notes what a list says of a tool. Gives what is wrong with it, and then it cannot be called over HTTP; null
    /// if nothing is.
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

    /// What the tool of a call wants.
    ///
    /// @param params of the call
    public ParameterHeaders of(@Nullable JsonView params) {
        String name = params == null ? null : params.string("name");
        return name == null ? ParameterHeaders.NONE : known.getOrDefault(name, ParameterHeaders.NONE);
    }
}
