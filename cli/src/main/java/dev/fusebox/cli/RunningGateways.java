package dev.fusebox.cli;

import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The running gateways of this user. Immutable; finding them blocks briefly.
///
/// @param all by process id
record RunningGateways(List<Gateway> all) {
    /// A running gateway answers this request at once.
    private static final Duration BRIEF = Duration.ofSeconds(5);

    RunningGateways {
        all = List.copyOf(all);
    }

    /// A running gateway and its client.
    ///
    /// @param isOnly whether it is the only one
    record Gateway(long pid, OwnerClient client, boolean isOnly) {
        /// The option that selects this gateway, with a space in front; empty if it is the only one.
        String option() {
            return isOnly ? "" : " --gateway " + pid;
        }

        /// This gateway, after it has responded to a quick request: other requests to a hung gateway would block
        /// for as long as a server may take.
        ///
        /// @throws IOException if it does not respond at once
        Gateway requireResponsive() throws IOException {
            try {
                client.within(BRIEF).get("health");
                return this;
            } catch (IOException unheard) {
                throw new IOException(unresponsiveMessage(unheard), unheard);
            }
        }

        /// The error for an unresponsive gateway, with the command that stops it.
        String unresponsiveMessage(IOException unheard) {
            return "gateway " + pid + " is not responding (" + unheard.getMessage() + "); `kill -9 " + pid
                    + "` stops it";
        }

        /// Its servers and its configuration file; blocks for the limit at most.
        JsonView servers(Duration limit) throws IOException {
            return client.within(limit).get("servers").good();
        }

        /// Its configuration file; null if it has none or does not respond in time.
        @Nullable
        Path file(Duration limit) {
            try {
                String file = servers(limit).string("config");
                return file == null ? null : Path.of(file);
            } catch (IOException unheard) {
                return null;
            }
        }

        private boolean isBy(Path other) {
            Path file = file(BRIEF);
            return file != null && isSame(file, other);
        }
    }

    /// A configuration file in use and its gateways.
    ///
    /// @param file as the first of them names it
    record InUse(Path file, List<Long> pids) {
        boolean is(Path other) {
            return isSame(file, other);
        }

        /// A subject and verb: `gateway 17 uses`.
        String uses() {
            String numbers = pids.stream().map(Object::toString).collect(Collectors.joining(", "));
            return pids.size() == 1 ? "gateway " + numbers + " uses" : "gateways " + numbers + " use";
        }
    }

    /// The files of all gateways that respond at once.
    static List<InUse> files(Platform platform) {
        return files(platform, BRIEF);
    }

    /// @param limit for all of them together
    static List<InUse> files(Platform platform, Duration limit) {
        List<InUse> files = new ArrayList<>();
        try {
            List<Gateway> all = find(platform).all();
            for (Gateway gateway : all) {
                Path file = gateway.file(limit.dividedBy(all.size()));
                if (file != null) {
                    add(files, file, gateway.pid());
                }
            }
        } catch (IOException unreadable) {
            // Commands work without this information.
            return List.of();
        }
        return List.copyOf(files);
    }

    private static void add(List<InUse> files, Path file, long pid) {
        for (int i = 0; i < files.size(); i++) {
            if (files.get(i).is(file)) {
                List<Long> pids = new ArrayList<>(files.get(i).pids());
                pids.add(pid);
                files.set(i, new InUse(files.get(i).file(), List.copyOf(pids)));
                return;
            }
        }
        files.add(new InUse(file, List.of(pid)));
    }

    /// The file that all gateways use, if it differs from the command's default. A user who names no file means
    /// the gateway that `status` shows.
    ///
    /// @param usual the command's default; null if there is none
    static Optional<InUse> otherThan(@Nullable Path usual, List<InUse> files) {
        boolean isOther =
                files.size() == 1 && (usual == null || !files.getFirst().is(usual));
        return isOther ? Optional.of(files.getFirst()) : Optional.empty();
    }

    static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException gone) {
            // A deleted file is not this one.
            return false;
        }
    }

    static RunningGateways find(Platform platform) throws IOException {
        List<Gateway> found = new ArrayList<>();
        List<RunFolder.Gateway> gateways = RunFolder.of(platform).gateways();
        for (RunFolder.Gateway each : gateways) {
            found.add(new Gateway(each.pid(), new OwnerClient(platform, each.socket()), gateways.size() == 1));
        }
        return new RunningGateways(found);
    }

    /// The gateways that use this file and respond at once; all if the file is null.
    RunningGateways by(@Nullable Path file) {
        return file == null
                ? this
                : new RunningGateways(
                        all.stream().filter(each -> each.isBy(file)).toList());
    }

    /// The gateways to list: the selected one, otherwise all.
    List<Gateway> toSee(@Nullable Long pid) throws ServeOptions.Problem {
        return pid == null ? all : List.of(named(pid));
    }

    /// The gateways to query: the selected one, otherwise all that are not replaced.
    List<Gateway> toQuery(@Nullable Long pid) throws ServeOptions.Problem {
        return pid == null ? staying().all : List.of(named(pid));
    }

    /// The gateway to change: the selected one, or the only one that is not replaced.
    Gateway toChange(@Nullable Long pid) throws ServeOptions.Problem {
        if (pid != null) {
            return named(pid);
        }
        RunningGateways staying = staying();
        if (staying.all.size() > 1) {
            throw new ServeOptions.Problem("several gateways are running; select one with --gateway PID: "
                    + staying.pids() + "; `" + FuseboxCommand.of("status") + "` shows them");
        }
        if (all.isEmpty()) {
            throw new ServeOptions.Problem("no gateway is running; `" + FuseboxCommand.of("serve") + "` starts one");
        }
        return staying.all.getFirst();
    }

    /// All except those that are about to end and whose clients have moved to another shared gateway of the same
    /// file. If there are several, blocks until each has responded or the limit has passed.
    private RunningGateways staying() {
        if (all.size() < 2) {
            return this;
        }
        List<GatewayState> states =
                all.stream().map(each -> GatewayState.of(each, BRIEF)).toList();
        return new RunningGateways(states.stream()
                .filter(each -> states.stream().noneMatch(each::isFollowedBy))
                .map(GatewayState::gateway)
                .toList());
    }

    private Gateway named(long pid) throws ServeOptions.Problem {
        for (Gateway gateway : all) {
            if (gateway.pid() == pid) {
                return gateway;
            }
        }
        String others = all.isEmpty() ? "none is running" : "running: " + pids();
        throw new ServeOptions.Problem("no gateway has process id " + pid + "; " + others);
    }

    private String pids() {
        return all.stream().map(gateway -> Long.toString(gateway.pid())).collect(Collectors.joining(", "));
    }
}
