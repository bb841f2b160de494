package dev.fusebox.cli;

import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The gateways of this user that run now. Immutable; finding them blocks for a moment.
///
/// @param all in the order of their processes
record RunningGateways(List<Gateway> all) {
    RunningGateways {
        all = List.copyOf(all);
    }

    /// One that runs, and how to ask it.
    record Gateway(long pid, OwnerClient client) {}

    static RunningGateways find(World world) throws IOException {
        List<Gateway> found = new ArrayList<>();
        for (RunFolder.Gateway each : RunFolder.of(world).gateways()) {
            found.add(new Gateway(each.pid(), new OwnerClient(world, each.socket())));
        }
        return new RunningGateways(found);
    }

    /// Those that are asked how they are: the one that is named, else all.
    List<Gateway> toSee(@Nullable Long pid) throws ServeOptions.Problem {
        return pid == null ? all : List.of(named(pid));
    }

    /// The one that is changed.
    Gateway toChange(@Nullable Long pid) throws ServeOptions.Problem {
        if (pid != null) {
            return named(pid);
        }
        if (all.size() > 1) {
            throw new ServeOptions.Problem("several gateways run; say which with --gateway PID: " + pids());
        }
        if (all.isEmpty()) {
            throw new ServeOptions.Problem("no gateway runs; ./fusebox serve starts one");
        }
        return all.getFirst();
    }

    private Gateway named(long pid) throws ServeOptions.Problem {
        for (Gateway gateway : all) {
            if (gateway.pid() == pid) {
                return gateway;
            }
        }
        String others = all.isEmpty() ? "none runs" : "those that run are " + pids();
        throw new ServeOptions.Problem("there is no gateway with the process " + pid + "; " + others);
    }

    private String pids() {
        return all.stream().map(gateway -> Long.toString(gateway.pid())).collect(Collectors.joining(", "));
    }
}
