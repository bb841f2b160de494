package dev.fusebox.gateway.share;

import dev.fusebox.platform.LaunchResult;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Program;
import dev.fusebox.platform.SpawnedProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Starts the shared gateway of a configuration file, once for all connectors that need one at the same time.
/// Blocks until it can be reached, at most some seconds.
final class GatewayStarter {
    /// A gateway listens within a second; on a busy machine, or without its AOT cache, it takes several.
    static final Duration START_LIMIT = Duration.ofSeconds(20);

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(10);

    /// Starts the program in the background, so that it belongs to no client, and prints its process id.
    private static final String IN_BACKGROUND =
            "log=$1; shift; (umask 077; : >\"$log\"); \"$@\" </dev/null >/dev/null 2>\"$log\" & echo $!";

    private final Platform platform;
    private final ShareAddress address;
    private final List<String> command;

    /// @param command starts a gateway for the configuration file, in the foreground
    GatewayStarter(Platform platform, ShareAddress address, List<String> command) {
        this.platform = platform;
        this.address = address;
        this.command = command;
    }

    /// A gateway could not be started; the message says why.
    static final class NotStarted extends Exception {
        private static final long serialVersionUID = 1;

        NotStarted(String message) {
            super(message);
        }
    }

    /// A connection to the gateway in place, after starting one if there is none, or a second one to replace it.
    ///
    /// @param replaced the gateway to be replaced while it is in place, as [#inPlace] names it; null for none
    GatewayLink connect(@Nullable Object replaced) throws NotStarted, IOException, InterruptedException {
        long begun = platform.ticker().nanos();
        while (platform.ticker().nanos() - begun < START_LIMIT.toNanos()) {
            boolean replaces = replaced != null && replaced.equals(inPlace());
            GatewayLink link = replaces ? null : GatewayLink.connect(address.socket());
            if (link != null) {
                return link;
            }
            try (StartLock mine = StartLock.tryTake(address.startLock())) {
                if (mine != null) {
                    return start(replaced);
                }
            }
            platform.pause(BETWEEN_TRIES);
        }
        throw new NotStarted("no gateway could be reached within " + START_LIMIT.toSeconds() + " s");
    }

    private GatewayLink start(@Nullable Object replaced) throws NotStarted, IOException, InterruptedException {
        Object there = inPlace();
        GatewayLink other = GatewayLink.connect(address.socket());
        if (other != null && (replaced == null || !replaced.equals(there))) {
            return other;
        }
        Object before = other == null ? null : there;
        if (other != null) {
            other.close();
        }
        long pid = launch();
        long begun = platform.ticker().nanos();
        while (platform.ticker().nanos() - begun < START_LIMIT.toNanos()) {
            GatewayLink link =
                    before == null || !before.equals(inPlace()) ? GatewayLink.connect(address.socket()) : null;
            if (link != null) {
                return link;
            }
            if (ProcessHandle.of(pid).isEmpty()) {
                throw new NotStarted("the gateway ended at its start, see " + address.startLog());
            }
            platform.pause(BETWEEN_TRIES);
        }
        throw new NotStarted(
                "the gateway does not listen after " + START_LIMIT.toSeconds() + " s, see " + address.startLog());
    }

    /// What identifies the gateway in place by its socket; null if there is none.
    @Nullable
    Object inPlace() {
        try {
            return Files.readAttributes(address.socket(), BasicFileAttributes.class)
                    .fileKey();
        } catch (IOException gone) {
            return null;
        }
    }

    private long launch() throws NotStarted {
        if (command.isEmpty()) {
            throw new NotStarted("it cannot be started from here");
        }
        List<String> arguments = new ArrayList<>(
                List.of("-c", IN_BACKGROUND, "sh", address.startLog().toString()));
        arguments.addAll(command);
        LaunchResult result =
                platform.processes().launch(new Program("/bin/sh", arguments, platform.environment(), null));
        if (!(result instanceof LaunchResult.Running(SpawnedProcess shell))) {
            throw new NotStarted(((LaunchResult.Failed) result).detail());
        }
        try {
            return Long.parseLong(output(shell));
        } catch (NumberFormatException nothing) {
            throw new NotStarted("/bin/sh did not start the gateway");
        } finally {
            shell.closeIn();
            shell.closeOut();
            shell.closeErr();
            shell.await(false, TimeUnit.SECONDS.toNanos(1));
            shell.closeWatch();
            shell.reap();
        }
    }

    private static String output(SpawnedProcess shell) {
        StringBuilder text = new StringBuilder();
        byte[] buffer = new byte[64];
        for (int count = shell.readOut(buffer); count > 0; count = shell.readOut(buffer)) {
            text.append(new String(buffer, 0, count, StandardCharsets.US_ASCII));
        }
        return text.toString().strip();
    }
}
