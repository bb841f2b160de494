package dev.fusebox.gateway.tools;

import dev.fusebox.protocol.JsonView;
import org.jspecify.annotations.Nullable;

/// The name of a tool together with its server: `SERVER/TOOL`, as `mcp_discover` lists further tools. Immutable.
public record QualifiedToolName(String server, String tool) {
    private static final char SEPARATOR = '/';

    /// Splits a name at its first separator: server ids contain none, but names of tools may. Null if a part is
    /// missing.
    public static @Nullable QualifiedToolName of(String name) {
        int separator = name.indexOf(SEPARATOR);
        return separator <= 0 || separator == name.length() - 1
                ? null
                : new QualifiedToolName(name.substring(0, separator), name.substring(separator + 1));
    }

    /// The tool that the arguments of `mcp_call` name, found without the lists of any server; null if they do not
    /// name a server and a tool. For errors about calls that no server can be asked about any more.
    public static @Nullable QualifiedToolName named(JsonView arguments) {
        String server = arguments.string("server");
        String tool = arguments.string("tool");
        if (tool == null) {
            return null;
        }
        QualifiedToolName qualified = of(tool);
        boolean isUnderServer = qualified != null && qualified.server().equals(server);
        return server == null || isUnderServer ? qualified : new QualifiedToolName(server, tool);
    }
}
