package dev.fusebox.cli;

import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.gateway.GatewayHome;
import dev.fusebox.gateway.observe.LogFolder;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The command `logs`, which prints the log of a gateway and its servers. For one thread; blocks while it follows.
final class LogsCommand {
    private static final Duration PERIOD = Duration.ofMillis(500);
    private static final int MAX_LINES = 200;

    private final Platform platform;

    LogsCommand(Platform platform) {
        this.platform = platform;
    }

    ExitStatus run(List<String> arguments, CommandOutput output) {
        try {
            GatewayCommandOptions words = GatewayCommandOptions.parse("logs", arguments);
            boolean follows = words.isFollowing();
            if (words.names().size() > 1) {
                throw new ServeOptions.Problem("logs takes at most one name");
            }
            String server = words.names().isEmpty() ? null : words.names().getFirst();
            RunningGateways running = RunningGateways.find(platform);
            LogArchive kept = new LogArchive(GatewayHome.logFolder(platform).logs(), words.gateway());
            if (running.all().isEmpty() || kept.isOfEnded(running)) {
                return kept(kept, new LogRequest(server, follows, words.asJson()), output);
            }
            List<RunningGateways.Gateway> gateways = running.toSee(words.gateway());
            if (server != null && !follows) {
                checkServer(server, gateways);
            }
            List<Reader> readers = gateways.stream()
                    .map(gateway -> new Reader(gateway, server, gateways.size() > 1, words.asJson()))
                    .toList();
            return read(readers, follows, output);
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (IOException unreachable) {
            output.err().println("fusebox: cannot read the log: " + unreachable.getMessage());
            return ExitStatus.FAILED;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return ExitStatus.INTERRUPTED;
        }
    }

    /// Checks the server's name; lines of a removed server can still be read.
    private static void checkServer(String server, List<RunningGateways.Gateway> gateways)
            throws IOException, ServeOptions.Problem {
        List<String> names = new ArrayList<>();
        boolean hasWritten = false;
        for (RunningGateways.Gateway gateway : gateways) {
            gateway.client()
                    .get("servers")
                    .list("servers")
                    .elements()
                    .forEach(each -> names.add(String.valueOf(each.string("name"))));
            hasWritten |= names.contains(server)
                    || !gateway.client()
                            .get(path(0, server))
                            .list("lines")
                            .elements()
                            .isEmpty();
        }
        if (!hasWritten) {
            throw new ServeOptions.Problem("unknown server \"" + server + "\""
                    + SpellingSuggestion.nearest(server, names)
                            .map(near -> "; did you mean \"" + near + "\"?")
                            .orElse("; the log has no lines of a server with this name"));
        }
    }

    private static String path(long after, @Nullable String server) {
        return "log?after=" + after + (server == null ? "" : "&server=" + OwnerClient.encoded(server));
    }

    private ExitStatus read(List<Reader> readers, boolean follows, CommandOutput output)
            throws IOException, InterruptedException {
        do {
            for (Reader reader : readers) {
                reader.print(output);
            }
            output.out().flush();
            if (follows) {
                platform.pause(PERIOD);
            }
        } while (follows && !output.out().checkError());
        return ExitStatus.DONE;
    }

    /// The requested lines. Immutable.
    private record LogRequest(@Nullable String server, boolean follows, boolean asJson) {}

    /// Prints the log of a gateway that has ended.
    private static ExitStatus kept(LogArchive kept, LogRequest logRequest, CommandOutput output)
            throws IOException, ServeOptions.Problem {
        if (logRequest.follows()) {
            throw new ServeOptions.Problem(
                    kept.pid() != null
                            ? "gateway " + kept.pid() + " is not running; --follow needs a running gateway"
                            : "no gateway is running; --follow needs one, and `" + FuseboxCommand.of("serve")
                                    + "` starts one");
        }
        Optional<LogFolder.Log> log = kept.chosen();
        if (log.isEmpty()) {
            String which = kept.pid() == null ? "no gateway is running" : "gateway " + kept.pid() + " is not running";
            output.err().println("fusebox: " + which + ", and there is no log");
            return ExitStatus.FAILED;
        }
        output.err().println("fusebox: " + kept.about(log.get()));
        String server = logRequest.server();
        // Without a server, every line matches.
        Pattern mark = Pattern.compile(server == null ? "" : " \\[" + Pattern.quote(server) + "(@\\d+)?\\] ");
        List<String> lines = log.get().lines().stream()
                .filter(line -> mark.matcher(line).find())
                .map(OutputText::plain)
                .toList();
        for (String line : lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size())) {
            output.out().println(logRequest.asJson() ? LogLine.json(line) : line);
        }
        if (lines.isEmpty() && server != null) {
            output.err().println("fusebox: " + "the log has no lines of " + server);
        }
        return lines.isEmpty() ? ExitStatus.FAILED : ExitStatus.DONE;
    }

    /// A reader of one gateway's log, which returns each line once. For one thread.
    private static final class Reader {
        private final RunningGateways.Gateway gateway;
        private final @Nullable String server;
        private final boolean isNamed;
        private final boolean asJson;
        private long last;

        Reader(RunningGateways.Gateway gateway, @Nullable String server, boolean isNamed, boolean asJson) {
            this.gateway = gateway;
            this.server = server;
            this.isNamed = isNamed;
            this.asJson = asJson;
        }

        void print(CommandOutput output) throws IOException {
            JsonView lines = gateway.client().get(path(last, server)).list("lines");
            for (JsonView line : lines.elements()) {
                last = Math.max(last, LogLine.number(line));
                String words = asJson ? line.json() : (isNamed ? gateway.pid() + " " : "") + LogLine.words(line);
                output.out().println(words);
            }
        }
    }
}
