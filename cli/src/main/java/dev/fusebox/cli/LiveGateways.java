package dev.fusebox.cli;

import dev.fusebox.gateway.ailment.Ailment;
import dev.fusebox.gateway.doctor.Check;
import dev.fusebox.gateway.doctor.Finding;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The gateways that run, and which servers they have. Immutable; finding them blocks as long as it is told.
///
/// @param byServer the first gateway that has a server of this name
/// @param silent those that listen and do not answer
record LiveGateways(Map<String, RunningGateways.Gateway> byServer, List<Finding> silent) {
    static final LiveGateways NONE = new LiveGateways(Map.of(), List.of());

    LiveGateways {
        byServer = Map.copyOf(byServer);
        silent = List.copyOf(silent);
    }

    /// Those that run by a file: a server of this name behind another one is another server.
    ///
    /// @param limit for all of them together
    static LiveGateways of(World world, Path file, Duration limit) {
        List<RunningGateways.Gateway> all;
        try {
            all = RunningGateways.find(world).all();
        } catch (IOException nowhere) {
            return NONE;
        }
        Map<String, RunningGateways.Gateway> byServer = new LinkedHashMap<>();
        List<Finding> silent = new ArrayList<>();
        for (RunningGateways.Gateway gateway : all) {
            try {
                JsonView told = gateway.client()
                        .within(limit.dividedBy(all.size()))
                        .get("servers")
                        .body();
                names(told, file).forEach(name -> byServer.putIfAbsent(name, gateway));
            } catch (IOException unheard) {
                silent.add(Finding.fail(
                                Check.GATEWAY,
                                Ailment.GATEWAY_UNREACHABLE,
                                "gateway " + gateway.pid()
                                        + " listens and does not answer; it has to be ended and started again")
                        .mendedBy("kill " + gateway.pid()));
            }
        }
        return new LiveGateways(byServer, silent);
    }

    private static List<String> names(JsonView told, Path file) {
        JsonView servers = told.member("servers");
        String config = told.string("config");
        boolean isOther = config != null && !RunningGateways.isSame(Path.of(config), file);
        return servers == null || isOther
                ? List.of()
                : servers.elements().stream()
                        .map(server -> String.valueOf(server.string("name")))
                        .toList();
    }

    Optional<RunningGateways.Gateway> of(String server) {
        return Optional.ofNullable(byServer.get(server));
    }
}
