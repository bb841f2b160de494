package dev.fusebox.platform;

import dev.fusebox.platform.SocketDiagnostics.Answer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// User lookup on Linux: from the kernel's socket diagnostics, or from `/proc/net` where those are not available.
/// Thread-safe; blocks as [PeerUsers] documents.
final class LinuxPeerUsers implements PeerUsers {
    private static final Path STATUS = Path.of("/proc/self/status");

    /// The id of this process's user if `/proc` cannot be read: no user has this id.
    private static final long NONE = -1;

    private final long self;
    private final @Nullable SocketDiagnostics diagnostics;
    private final ProcNetTcp table;

    /// Whether a socket was ever found. A kernel without diagnostics for TCP reports every socket as missing, so
    /// that answer counts only after a first success.
    private volatile boolean isProven;

    /// @param self the effective user id of this process
    /// @param diagnostics null where they are not available
    LinuxPeerUsers(long self, @Nullable SocketDiagnostics diagnostics, ProcNetTcp table) {
        this.self = self;
        this.diagnostics = diagnostics;
        this.table = table;
    }

    static LinuxPeerUsers open() {
        boolean isKnown = System.getProperty("os.arch", "").matches("amd64|x86_64|aarch64");
        return new LinuxPeerUsers(
                effectiveUser(STATUS),
                isKnown ? SocketDiagnostics.open() : null,
                new ProcNetTcp(Path.of("/proc/self/net")));
    }

    /// The second of four ids: real, effective, saved, and file system. (The owner of `/proc/self` does not help:
    /// it is the superuser in a process that denies inspection.)
    static long effectiveUser(Path status) {
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("Uid:"))
                    .mapToLong(line -> Long.parseLong(line.split("\\s+", -1)[2]))
                    .findFirst()
                    .orElse(NONE);
        } catch (IOException | RuntimeException unreadable) {
            return NONE;
        }
    }

    @Override
    public OptionalLong self() {
        return OptionalLong.of(self);
    }

    @Override
    public OptionalLong userOf(InetSocketAddress peer, InetSocketAddress own) {
        if (diagnostics == null) {
            return table.userOf(peer, own);
        }
        return switch (diagnostics.ask(peer, own)) {
            case Answer.Found(OptionalLong user) -> {
                isProven = true;
                yield user;
            }
            case Answer.Missing _ when isProven -> OptionalLong.empty();
            case Answer.Missing _, Answer.Failed _ -> table.userOf(peer, own);
        };
    }
}
