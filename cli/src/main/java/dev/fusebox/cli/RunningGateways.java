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

/// The gateways of this user that run now. Immutable; finding them blocks for a moment.
///
/// @param all in the order of their processes
record RunningGateways(List<Gateway> all) {
    /// A gateway that lives says at once what it runs by.
    private static final Duration BRIEF = Duration.ofSeconds(5);

    RunningGateways {
        all = List.copyOf(all);
    }

    /// One that runs, and how to ask it.
    ///
    /// @param isOnly whether no other one runs
    record Gateway(long pid, OwnerClient client, boolean isOnly) {
        /// What a command has to say so that it means this one, with a space in front; empty if it need not.
        String option() {
            return isOnly ? "" : " --gateway " + pid;
        }

        /// This one, once it has answered: a question to one that hangs would wait for as long as a server may
        /// take.
        ///
        /// @throws IOException if it does not answer at once
        Gateway answering() throws IOException {
            try {
                client.within(BRIEF).get("health");
                return this;
            } catch (IOException unheard) {
                throw new IOException(silence(unheard), unheard);
            }
        }

        /// That it does not answer, and how it is ended.
        String silence(IOException unheard) {
            return "gateway " + pid + " does not answer (" + unheard.getMessage() + "); `kill -9 " + pid + "` ends it";
        }

        /// The servers that it has, and what it runs by; blocks for so long at most.
        JsonView servers(Duration limit) throws IOException {
            return client.within(limit).get("servers").good();
        }

        /// The file that it runs by; null if it runs by none, or does not say so in time.
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

    /// A file that gateways run by.
    ///
    /// @param file in the words of the first of them
    record InUse(Path file, List<Long> pids) {
        boolean is(Path other) {
            return isSame(file, other);
        }

        /// As the subject of a sentence: `gateway 17 uses`.
        String uses() {
            String numbers = pids.stream().map(Object::toString).collect(Collectors.joining(", "));
            return pids.size() == 1 ? "gateway " + numbers + " uses" : "gateways " + numbers + " use";
        }
    }

    /// The files that gateways run by, as far as those say so at once.
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
            // A command that asks knows less then, and does all the same what it can.
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

    /// The file that all gateways run by, if it is not the one that a command takes by itself. A user who names no
    /// file means the gateway that is seen.
    ///
    /// @param usual what the command takes by itself; null if there is none
    static Optional<InUse> otherThan(@Nullable Path usual, List<InUse> files) {
        boolean isOther =
                files.size() == 1 && (usual == null || !files.getFirst().is(usual));
        return isOther ? Optional.of(files.getFirst()) : Optional.empty();
    }

    static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException gone) {
            // A gateway whose file is gone does not use this one.
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

    /// Those that run by this file, as far as they say so at once; all if none is named.
    RunningGateways by(@Nullable Path file) {
        return file == null
                ? this
                : new RunningGateways(
                        all.stream().filter(each -> each.isBy(file)).toList());
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
            throw new ServeOptions.Problem("several gateways run; say which with --gateway PID: " + pids() + "; `"
                    + FuseboxCommand.of("status") + "` tells them apart");
        }
        if (all.isEmpty()) {
            throw new ServeOptions.Problem("no gateway runs; `" + FuseboxCommand.of("serve") + "` starts one");
        }
        return all.getFirst();
    }

    private Gateway named(long pid) throws ServeOptions.Problem {
        for (Gateway gateway : all) {
            if (gateway.pid() == pid) {
                return gateway;
            }
        }
        String others = all.isEmpty() ? "none runs" : "running: " + pids();
        throw new ServeOptions.Problem("there is no gateway with the process " + pid + "; " + others);
    }

    private String pids() {
        return all.stream().map(gateway -> Long.toString(gateway.pid())).collect(Collectors.joining(", "));
    }
}
