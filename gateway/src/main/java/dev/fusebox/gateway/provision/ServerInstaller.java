package dev.fusebox.gateway.provision;

import dev.fusebox.client.Deadline;
import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.LiteralSecrets;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.edit.AtomicFile;
import dev.fusebox.config.edit.JsonEditor;
import dev.fusebox.config.edit.Unreadable;
import dev.fusebox.config.edit.WorkTree;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The installer of servers: it adds an entry to the configuration file, which is replaced atomically and keeps
/// its comments, and waits for the gateway's reload. One at a time, except for the wait. Thread-safe; adding
/// blocks until the state of the server is known, or until the caller's deadline: what has been written by then is
/// kept.
///
/// ```
/// expected --file written, applied--> configured --started--> known how it is
///     '----- refused, or not applied in time --> abandoned; the file is as it was, or says so
/// ```
public final class ServerInstaller {
    /// The gateway polls its file, and is also requested to read it.
    private static final Duration APPLIED = Duration.ofSeconds(10);

    private static final Duration STEP = Duration.ofMillis(20);
    private static final int MAX_SUFFIX = 9;

    private final Platform platform;
    private final Path file;
    private final ServerAdder serverAdder;
    private final AtomicBoolean isBusy = new AtomicBoolean();

    public ServerInstaller(Platform platform, Path file, ServerAdder serverAdder) {
        this.platform = platform;
        this.file = file;
        this.serverAdder = serverAdder;
    }

    /// The result. Immutable.
    sealed interface Added {
        /// The configuration has the server, now or from before.
        ///
        /// @param missing variables that are not set
        record Configured(String server, List<String> missing) implements Added {
            public Configured {
                missing = List.copyOf(missing);
            }
        }

        /// Nothing was added.
        record Rejected(String why) implements Added {}
    }

    /// Carries the reason up the call stack.
    private static final class InstallFailure extends Exception {
        private static final long serialVersionUID = 1;

        InstallFailure(String message) {
            super(message, null, false, false);
        }
    }

    /// The current file.
    private record Opened(AtomicFile file, JsonEditor text, String member, Map<String, JsonView> servers) {}

    Added add(String wished, LaunchConfig launchConfig, Deadline deadline) throws InterruptedException {
        List<String> missing = launchConfig.inputs().stream()
                .filter(name -> !platform.environment().containsKey(name))
                .toList();
        try {
            String server = configured(wished, launchConfig, missing.isEmpty(), deadline);
            if (missing.isEmpty()) {
                serverAdder.await(server, deadline);
            }
            return new Added.Configured(server, missing);
        } catch (InstallFailure refused) {
            return new Added.Rejected(String.valueOf(refused.getMessage()));
        }
    }

    /// The name under which the configuration has the server.
    private String configured(String wished, LaunchConfig launchConfig, boolean isComplete, Deadline deadline)
            throws InstallFailure, InterruptedException {
        if (!isBusy.compareAndSet(false, true)) {
            throw new InstallFailure("another server is being added; ask again in a few seconds");
        }
        try {
            Opened opened = open();
            String known = known(opened, launchConfig);
            if (known == null && deadline.left() <= 0) {
                throw new InstallFailure("nothing was added: the call was cancelled or timed out");
            }
            return known == null ? write(opened, wished, launchConfig, isComplete) : known;
        } finally {
            isBusy.set(false);
        }
    }

    // ---- Configuration file

    private Opened open() throws InstallFailure {
        try {
            AtomicFile safe = AtomicFile.read(file);
            JsonEditor text = JsonEditor.parse(safe.content());
            String member = text.at(List.of("mcpServers")) == null && text.at(List.of("servers")) != null
                    ? "servers"
                    : "mcpServers";
            Map<String, JsonView> servers = new LinkedHashMap<>();
            JsonView all = text.at(List.of(member));
            if (all != null) {
                all.forEachMember(servers::put);
            }
            return new Opened(safe, text, member, servers);
        } catch (IOException unreadable) {
            throw new InstallFailure(String.valueOf(unreadable.getMessage()));
        } catch (Unreadable unreadable) {
            throw new InstallFailure(file + " " + unreadable.getMessage());
        }
    }

    /// The server with the same configuration; null if there is none.
    private static @Nullable String known(Opened opened, LaunchConfig launchConfig) {
        JsonView wanted = JsonView.of(launchConfig.json());
        return opened.servers().entrySet().stream()
                .filter(each -> isSame(each.getValue(), wanted))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    private static boolean isSame(JsonView server, JsonView wanted) {
        return Stream.of("command", "args")
                .allMatch(member -> words(server, member).equals(words(wanted, member)));
    }

    private static List<String> words(JsonView server, String member) {
        JsonView value = server.member(member);
        if (value == null) {
            return List.of();
        }
        return value.isArray()
                ? value.elements().stream().map(JsonView::json).toList()
                : List.of(Objects.requireNonNullElse(value.string(), ""));
    }

    private String write(Opened opened, String wished, LaunchConfig launchConfig, boolean isComplete)
            throws InstallFailure, InterruptedException {
        String server = free(opened, wished);
        if (isComplete && !serverAdder.expect(server)) {
            throw new InstallFailure("server " + server + " already exists");
        }
        boolean isThere = false;
        try {
            replace(opened, server, launchConfig);
            serverAdder.readFile();
            isThere = awaitApplied(server);
        } catch (InstallFailure refused) {
            serverAdder.abandon(server, String.valueOf(refused.getMessage()));
            throw refused;
        } finally {
            if (!isThere) {
                serverAdder.abandon(server, "it was not added");
            }
        }
        if (!isThere) {
            throw new InstallFailure(server + " was added to " + file + ", but the gateway has not applied it yet");
        }
        return server;
    }

    private static String free(Opened opened, String wished) throws InstallFailure {
        Set<String> taken = opened.servers().keySet().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        return Stream.concat(
                        Stream.of(wished),
                        IntStream.rangeClosed(2, MAX_SUFFIX).mapToObj(number -> wished + "-" + number))
                .filter(name -> !taken.contains(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new InstallFailure("too many servers with the name " + wished));
    }

    private void replace(Opened opened, String server, LaunchConfig launchConfig) throws InstallFailure {
        try {
            JsonEditor after = opened.text().with(List.of(opened.member()), server, launchConfig.json());
            ReadResult readResult = ConfigFile.read(HostEnvironments.of(platform), file, after.bytes());
            if (!readResult.problems().isEmpty()) {
                throw new InstallFailure(file + " is invalid, so nothing is added to it: "
                        + readResult.problems().getFirst());
            }
            if (WorkTree.of(file).isPresent()
                    && LiteralSecrets.areIn(opened.text().at(List.of(opened.member())))) {
                // No backup copy: with secrets in it, it might be published with its folder.
                opened.file().replaceWithoutCopy(after.bytes());
            } else {
                opened.file().replace(after.bytes());
            }
        } catch (Unreadable | IOException failed) {
            throw new InstallFailure(String.valueOf(failed.getMessage()));
        }
    }

    private boolean awaitApplied(String server) throws InterruptedException {
        long begun = platform.ticker().nanos();
        while (!serverAdder.has(server) && platform.ticker().nanos() - begun < APPLIED.toNanos()) {
            platform.pause(STEP);
        }
        return serverAdder.has(server);
    }
}
