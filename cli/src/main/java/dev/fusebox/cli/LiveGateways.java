package dev.fusebox.cli;

import dev.fusebox.client.ErrorId;
import dev.fusebox.doctor.Check;
import dev.fusebox.doctor.Finding;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The running gateways and their servers. Immutable; finding them blocks up to a limit.
///
/// @param byServer the first gateway with a server of each name, one that is about to end only if there is no other
/// @param silent a failure for each unresponsive gateway
/// @param waiting a warning for each server whose variables are missing in a gateway, by name
record LiveGateways(Map<String, RunningGateways.Gateway> byServer, List<Finding> silent, Map<String, Finding> waiting) {
    static final LiveGateways NONE = new LiveGateways(Map.of(), List.of(), Map.of());

    LiveGateways {
        byServer = Map.copyOf(byServer);
        silent = List.copyOf(silent);
        waiting = Map.copyOf(waiting);
    }

    /// The gateways that use a file; a server of the same name in another file is another server.
    ///
    /// @param limit for all of them together
    static LiveGateways of(Platform platform, Path file, Duration limit) {
        List<RunningGateways.Gateway> all;
        try {
            all = RunningGateways.find(platform).all();
        } catch (IOException nowhere) {
            return NONE;
        }
        Map<String, RunningGateways.Gateway> byServer = new LinkedHashMap<>();
        Map<String, RunningGateways.Gateway> ofLeaving = new LinkedHashMap<>();
        List<Finding> silent = new ArrayList<>();
        Map<String, Finding> waiting = new LinkedHashMap<>();
        for (RunningGateways.Gateway gateway : all) {
            try {
                JsonView told = gateway.client()
                        .within(limit.dividedBy(all.size()))
                        .get("servers")
                        .body();
                boolean isStaying = GatewayState.of(gateway, told).isServing();
                for (JsonView server : servers(told, file)) {
                    (isStaying ? byServer : ofLeaving).putIfAbsent(name(server), gateway);
                }
                servers(told, file).stream()
                        .filter(server -> "awaiting_user_config".equals(server.string("status")))
                        .map(LiveGateways::name)
                        .forEach(name -> waiting.putIfAbsent(name, waiting(name, gateway)));
            } catch (IOException unheard) {
                silent.add(Finding.fail(
                                Check.GATEWAY,
                                ErrorId.GATEWAY_UNREACHABLE,
                                "gateway " + gateway.pid() + " is not responding; stop it and restart it")
                        .withRemedy("`kill -9 " + gateway.pid() + "` stops it"));
            }
        }
        ofLeaving.forEach(byServer::putIfAbsent);
        return new LiveGateways(byServer, silent, waiting);
    }

    private static String name(JsonView server) {
        return String.valueOf(server.string("name"));
    }

    private static Finding waiting(String server, RunningGateways.Gateway gateway) {
        String cause = "the running gateway " + gateway.pid() + " lacks an environment variable of " + server;
        return Finding.warn(Check.GATEWAY, ErrorId.VARIABLE_MISSING, cause).withRemedy(startAgain(gateway));
    }

    /// The remedy for variables that were set after the gateway's start.
    static String startAgain(RunningGateways.Gateway gateway) {
        return "a gateway reads environment variables at startup: set the variable and restart gateway " + gateway.pid()
                + " (restart the client or the program that started it)";
    }

    private static List<JsonView> servers(JsonView told, Path file) {
        JsonView servers = told.member("servers");
        String config = told.string("config");
        boolean isOther = config != null && !RunningGateways.isSame(Path.of(config), file);
        return servers == null || isOther ? List.of() : servers.elements();
    }

    Optional<RunningGateways.Gateway> of(String server) {
        return Optional.ofNullable(byServer.get(server));
    }
}
