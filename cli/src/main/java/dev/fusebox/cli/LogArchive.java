package dev.fusebox.cli;

import dev.fusebox.gateway.observe.LogFolder;
import dev.fusebox.platform.FuseboxCommand;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The log files of past and present gateways, and the selection among them. Immutable.
///
/// @param all oldest first
/// @param pid the process id of the gateway; null for the newest log
record LogArchive(List<LogFolder.Log> all, @Nullable Long pid) {
    /// How many other logs are listed.
    private static final int MAX_NAMED = 5;

    LogArchive {
        all = List.copyOf(all);
    }

    /// Whether the selected gateway has ended and left a log.
    boolean isOfEnded(RunningGateways running) {
        Long wanted = pid;
        return wanted != null
                && running.all().stream().noneMatch(gateway -> gateway.pid() == wanted)
                && chosen().isPresent();
    }

    /// The newest selected log.
    Optional<LogFolder.Log> chosen() {
        return all.reversed().stream()
                .filter(log -> pid == null || log.pid() == pid)
                .findFirst();
    }

    /// A line about the log's gateway and about other logs.
    String about(LogFolder.Log log) {
        String others = all.reversed().stream()
                .filter(other -> other.pid() > 0 && other.pid() != log.pid())
                .map(other -> Long.toString(other.pid()))
                .distinct()
                .limit(MAX_NAMED)
                .collect(Collectors.joining(", "));
        String whose = log.pid() == 0
                ? "showing the log of earlier versions of Fusebox"
                : "showing the log of gateway " + log.pid() + ", started at " + log.started();
        return others.isEmpty()
                ? whose
                : whose + "; `" + FuseboxCommand.of("logs") + " --gateway PID` shows others: " + others;
    }
}
