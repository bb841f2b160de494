package dev.fusebox.gateway.admin;

import dev.fusebox.platform.Platform;
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

/// The folder in which the gateways of one user are found: their sockets, and the token of those who may change
/// something. Nobody else may look into it. Immutable; blocks as long as the file system does.
///
/// @param path `~/.fusebox/run`, or `run` in what FUSEBOX_HOME names
public record RunFolder(Path path) {
    private static final Pattern SOCKET = Pattern.compile("(\\d{1,18})\\.sock");

    /// What fits into the address of a Unix socket wherever we run, a closing NUL included: 104 on macOS, 108 on
    /// Linux.
    private static final int LONGEST_SOCKET = 104;

    /// A gateway that answers.
    public record Gateway(long pid, Path socket) {}

    /// The folder of this user, whether or not it is there.
    ///
    /// @throws IOException if nobody says where it is
    public static RunFolder of(Platform platform) throws IOException {
        String state = platform.environment().getOrDefault("FUSEBOX_HOME", "");
        String home = platform.environment().getOrDefault("HOME", "");
        if (state.isEmpty() && home.isEmpty()) {
            throw new IOException("neither FUSEBOX_HOME nor HOME is set");
        }
        Path base = state.isEmpty() ? Path.of(home).resolve(".fusebox") : Path.of(state);
        return new RunFolder(base.toAbsolutePath().resolve("run"));
    }

    /// Makes the folder if it is not there, and sees to it that it is a folder of ours that nobody else may enter.
    ///
    /// @throws IOException if that cannot be had; the message says what to do
    public RunFolder made() throws IOException {
        PrivateFolder.made(path);
        return this;
    }

    /// Where this process listens.
    ///
    /// @throws IOException if the path is too long for a socket
    public Path socket(long pid) throws IOException {
        Path socket = path.resolve(pid + ".sock");
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length >= LONGEST_SOCKET) {
            throw new IOException("the path " + socket + " has " + length + " bytes, and a socket may have "
                    + (LONGEST_SOCKET - 1) + "; set FUSEBOX_HOME to a shorter one");
        }
        return socket;
    }

    /// The gateways that answer, the oldest number first.
    public List<Gateway> gateways() throws IOException {
        List<Gateway> found = new ArrayList<>();
        for (Gateway candidate : candidates()) {
            if (answers(candidate.socket())) {
                found.add(candidate);
            }
        }
        return found;
    }

    /// Removes the sockets that gateways have left behind. One whose process lives, or behind which somebody
    /// answers, stays, as long as there is doubt.
    public void sweep() throws IOException {
        for (Path socket : stale()) {
            Files.deleteIfExists(socket);
        }
    }

    /// The sockets that gateways have left behind.
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

    /// Nobody waits for one that is stopped, at whose door so many wait already that no more are let in.
    private static boolean answers(Path socket) {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false);
            return probe.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException refused) {
            return false;
        }
    }
}
