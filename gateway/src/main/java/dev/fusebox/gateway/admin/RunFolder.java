package dev.fusebox.gateway.admin;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.files.PrivateFolder;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The run folder, through which the gateways of one user are found: their sockets, and the admin token. No other
/// user may enter it. Immutable; blocks on file system access.
///
/// @param path `~/.fusebox/run`, or `run` in the folder that FUSEBOX_HOME names
public record RunFolder(Path path) {
    private static final Pattern SOCKET = Pattern.compile("(\\d{1,18})\\.sock");

    /// The maximum length of a Unix socket address on all supported platforms, including the terminating NUL: 104
    /// on macOS, 108 on Linux.
    private static final int MAX_SOCKET = 104;

    /// A gateway that responds.
    public record Gateway(long pid, Path socket) {}

    /// The folder of this user, whether or not it exists.
    ///
    /// @throws IOException if the environment does not name it
    public static RunFolder of(Platform platform) throws IOException {
        String state = platform.environment().getOrDefault("FUSEBOX_HOME", "");
        String home = platform.environment().getOrDefault("HOME", "");
        if (state.isEmpty() && home.isEmpty()) {
            throw new IOException("neither FUSEBOX_HOME nor HOME is set");
        }
        Path base = state.isEmpty() ? Path.of(home).resolve(".fusebox") : Path.of(state);
        return new RunFolder(base.toAbsolutePath().resolve("run"));
    }

    /// Creates the folder if it is missing, and makes sure that it belongs to this user and no other user may enter
    /// it.
    ///
    /// @throws IOException if that is impossible; the message has the remedy
    public RunFolder made() throws IOException {
        PrivateFolder.made(path);
        return this;
    }

    /// The socket of a process.
    ///
    /// @throws IOException if the path is too long for a socket
    public Path socket(long pid) throws IOException {
        Path socket = path.resolve(pid + ".sock");
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length >= MAX_SOCKET) {
            throw new IOException("socket path " + socket + " has " + length + " bytes; the limit is "
                    + (MAX_SOCKET - 1) + "; set FUSEBOX_HOME to a shorter path");
        }
        return socket;
    }

    /// The gateways that respond, by ascending process id.
    public List<Gateway> gateways() throws IOException {
        List<Gateway> found = new ArrayList<>();
        for (Gateway candidate : candidates()) {
            if (answers(candidate.socket())) {
                found.add(candidate);
            }
        }
        return found;
    }

    /// Removes sockets of ended gateways. If the process is running, or a program accepts connections, the socket
    /// stays. Returns those that it has removed.
    public List<Path> sweep() throws IOException {
        List<Path> stale = stale();
        for (Path socket : stale) {
            Files.deleteIfExists(socket);
        }
        return stale;
    }

    /// The sockets of ended gateways.
    public List<Path> stale() throws IOException {
        List<Path> stale = new ArrayList<>();
        for (Gateway candidate : candidates()) {
            boolean lives = ProcessHandle.of(candidate.pid()).isPresent();
            if (!lives && !answers(candidate.socket())) {
                stale.add(candidate.socket());
            }
        }
        return stale;
    }

    private List<Gateway> candidates() throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.flatMap(RunFolder::candidate)
                    .sorted((one, other) -> Long.compare(one.pid(), other.pid()))
                    .toList();
        }
    }

    private static Stream<Gateway> candidate(Path file) {
        Matcher name = SOCKET.matcher(file.getFileName().toString());
        return name.matches() && isSocket(file)
                ? Stream.of(new Gateway(Long.parseLong(name.group(1)), file))
                : Stream.empty();
    }

    private static boolean isSocket(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther();
        } catch (IOException gone) {
            return false;
        }
    }

    /// Does not wait for a stopped process whose accept queue is full.
    private static boolean answers(Path socket) {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false);
            return probe.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException refused) {
            return false;
        }
    }
}
