package dev.fusebox.gateway.tools;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The servers as one client may call them through the gateway's own tools. Thread-safe; [#call] blocks until the
/// call's deadline at most.
public interface ServerAccess {
    /// Calls a tool through its server's pipeline, as if the client had called it directly. An unknown name fails
    /// with the nearest names, invalid arguments with the schema; neither call is sent.
    ///
    /// @param call a request that names the tool as discovery does, with or without the server,
    ///     from [GatewayToolCall#inner]
    /// @param limit the timeout of the call; null for the server's own
    Outcome call(String server, Call call, @Nullable Duration limit);

    /// The server and the tool that a name of the form `SERVER/TOOL` means; null if there is no such server, or if
    /// the whole name is that under which clients see a tool. Whether the server has the tool is not checked.
    @Nullable
    QualifiedToolName qualified(String name);

    /// All servers at this moment in the order of the configuration, those that cannot be called last.
    List<ServerSummary> serverSummaries();

    /// The known tools, after a wait for servers that have never listed theirs: at first contact for
    /// `discovery.firstListWaitMs`, later for a second. Does not start servers whose tools are known.
    ///
    /// @param server restricts the wait to one server; null for all
    AvailableTools availableTools(@Nullable String server) throws InterruptedException;
}
