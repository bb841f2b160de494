package dev.fusebox.breaker;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The name of a breaker: a server, or one tool of a server. Immutable.
 *
 * <p>The two parts are never compared as one text, so the server {@code a/b} and the tool {@code b} of the server
 * {@code a} are different breakers although they print the same.
 *
 * @param server the server, or whatever else the breaker protects
 * @param tool one tool of it; null for the server as a whole
 */
public record BreakerName(String server, @Nullable String tool) {
    public BreakerName {
        Rule.text("server", server);
        if (tool != null) {
            Rule.text("tool", tool);
        }
    }

    public static BreakerName of(String server) {
        return new BreakerName(server, null);
    }

    /** The name of the breaker for one tool of this server. */
    public BreakerName tool(String tool) {
        return new BreakerName(server, tool);
    }

    public Scope scope() {
        return tool == null ? Scope.SERVER : Scope.TOOL;
    }

    // The generated methods of a record are linked at run time, which would delay a start.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BreakerName name && name.server.equals(server) && Objects.equals(name.tool, tool);
    }

    @Override
    public int hashCode() {
        return 31 * server.hashCode() + Objects.hashCode(tool);
    }

    /** For people: {@code jira} or {@code jira/search}. */
    @Override
    public String toString() {
        return tool == null ? server : server + "/" + tool;
    }
}
