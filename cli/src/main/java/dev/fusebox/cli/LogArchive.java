package dev.fusebox.cli;

import dev.fusebox.gateway.observe.LogFolder;
import dev.fusebox.platform.FuseboxCommand;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The logs in the folder of logs, and which of them is asked for. Immutable.
///
/// @param all oldest first
/// @param pid the gateway that is meant; null for the newest log
record LogArchive(List<LogFolder.Log> all, @Nullable Long pid) {
    /// So many other logs are named.
    private static final int MOST_NAMED = 5;

    LogArchive {
        all = List.copyOf(all);
    }

    /// Whether a gateway is meant that does not run, and has left a log.
    boolean isOfEnded(RunningGateways running) {
        Long wanted = pid;
        return wanted != null
                && running.all().stream().noneMatch(gateway -> gateway.pid() == wanted)
                && chosen().isPresent();
    }

    /// The newest one of those that are meant.
    Optional<LogFolder.Log> chosen() {
        return all.reversed().stream()
                .filter(log -> pid == null || log.pid() == pid)
                .findFirst();
    }

    /// Whose log it is, and how others are shown.
    String about(LogFolder.Log log) {
        String others = all.reversed().stream()
                .filter(other -> other.pid() > 0 && other.pid() != log.pid())
                .map(other -> Long.toString(other.pid()))
                .distinct()
                .limit(MOST_NAMED)
                .collect(Collectors.joining(", "));
        String whose = log.pid() == 0
                ? "this is the log of gateways of earlier versions"
                : "this is the log of gateway " + log.pid() + ", which was started at " + log.started();
        return others.isEmpty()
                ? whose
                : whose + "; `" + FuseboxCommand.of("logs") + " --gateway PID` shows others: " + others;
    }
}
