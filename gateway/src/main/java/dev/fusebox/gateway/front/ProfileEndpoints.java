package dev.fusebox.gateway.front;

import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.era.ModernFrontEnd;
import dev.fusebox.http.HttpHandler;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The endpoints `/mcp/p/NAME`, one for each profile, like `/mcp` in everything except for what is served. An endpoint
/// is made for its first request. Thread-safe; requests run on the connection's thread.
final class ProfileEndpoints implements HttpHandler {
    private final Platform platform;
    private final HttpSessions sessions;
    private final ModernFrontEnd all;
    private final ProfileServices profiles;
    private final RandomGenerator secrets;
    private final Map<String, Endpoint> endpoints = new HashMap<>();

    /// Those of removed profiles, whose calls in flight continue. Closed with the next removal after their last call.
    private final List<ModernFrontEnd> leaving = new ArrayList<>();

    private boolean isDraining;

    /// The endpoint of one profile.
    private record Endpoint(McpPath path, ModernFrontEnd stateless, McpEndpoint mcp) {}

    /// @param sessions of all endpoints, under one bound
    /// @param all the stateless endpoint for everything, whose limits hold for all profiles together
    ProfileEndpoints(
            Platform platform, HttpSessions sessions, ModernFrontEnd all, McpHttpFront.Collaborators collaborators) {
        this.platform = platform;
        this.sessions = sessions;
        this.all = all;
        this.profiles = collaborators.profiles();
        this.secrets = collaborators.secrets();
    }

    /// Begins to follow removals of profiles.
    void watch() {
        profiles.onRemoved(this::remove);
    }

    @Override
    public void handle(HttpRequest request, HttpReply reply) throws InterruptedException {
        String name = request.path().substring(McpPath.PROFILES.length());
        GatewayService service = profiles.find(name);
        if (service == null) {
            EndpointRules.refuse(reply, 404, JsonRpcErrorCode.INVALID_REQUEST, unknown(name));
        } else {
            endpoint(McpPath.ofProfile(name, service)).mcp().handle(request, reply);
        }
    }

    private String unknown(String name) {
        List<String> names = profiles.names();
        return "unknown profile \"" + name + "\"; "
                + (names.isEmpty() ? "the gateway has none" : "the gateway has " + String.join(", ", names));
    }

    private synchronized Endpoint endpoint(McpPath path) {
        Endpoint known = endpoints.get(path.path());
        if (known != null && known.path().equals(path)) {
            return known;
        }
        if (known != null) {
            // The profile was removed and added again, and this request came before the notification.
            leave(known);
        }
        ModernFrontEnd stateless = all.at(path.service().endpoint(platform, secrets));
        if (isDraining) {
            stateless.endSubscriptions();
        }
        Endpoint made = new Endpoint(path, stateless, new McpEndpoint(sessions, stateless, path));
        endpoints.put(path.path(), made);
        return made;
    }

    private void remove(String name) {
        Endpoint removed = take(McpPath.PROFILES + name);
        if (removed != null) {
            sessions.expireAll(removed.path().path());
        }
    }

    private synchronized @Nullable Endpoint take(String path) {
        Endpoint removed = endpoints.remove(path);
        if (removed != null) {
            leave(removed);
        }
        return removed;
    }

    private void leave(Endpoint endpoint) {
        List<ModernFrontEnd> done =
                leaving.stream().filter(ModernFrontEnd::isQuiet).toList();
        leaving.removeAll(done);
        done.forEach(ModernFrontEnd::close);
        endpoint.stateless().endSubscriptions();
        leaving.add(endpoint.stateless());
    }

    /// Ends all subscriptions; calls in flight continue.
    synchronized void drain() {
        isDraining = true;
        endpoints.values().forEach(endpoint -> endpoint.stateless().endSubscriptions());
    }

    /// Ends what is left.
    synchronized void close() {
        endpoints.values().forEach(endpoint -> endpoint.stateless().close());
        leaving.forEach(ModernFrontEnd::close);
    }
}
