package dev.fusebox.gateway.tools;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The servers, as a tool of the gateway's own reaches them for one client. Thread-safe; [#call] blocks for as
/// long as the caller has patience.
public interface ServerAccess {
    /// Calls a tool through its server's lane, as if the client had called it: a name that nobody knows is
    /// answered with the nearest ones, wrong arguments with the schema; neither is sent.
    ///
    /// @param call whose request names the tool as discovery does, as [GatewayToolCall#inner] makes it
    /// @param limit how long the call may take, in place of the server's own time; null for that
    Outcome call(String server, Call call, @Nullable Duration limit);

    /// All servers at this moment, in the order of the configuration, those that cannot be called last.
    List<ServerSummary> seen();

    /// The tools that are known, after servers that have never listed theirs were given time for it: at first
    /// contact `discovery.firstListWaitMs`, later a second. Blocks for no longer than that, and starts nothing
    /// whose tools are known.
    ///
    /// @param server the only one that matters; null for all
    AvailableTools availableTools(@Nullable String server) throws InterruptedException;
}
