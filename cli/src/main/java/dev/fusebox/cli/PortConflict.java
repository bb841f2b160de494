package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.fusebox.client.Promise;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.PortOwner;
import dev.fusebox.platform.VirtualThreadStarter;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The explanation of a bind failure: names the program that uses the port. Stateless; looking at the machine
/// blocks for two seconds at most.
final class PortConflict {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final int MAX_BYTES = 4 << 10;
    /// As [Main] stands in the command line of a process; the class itself would close a cycle of dependencies.
    private static final String MAIN_CLASS = PortConflict.class.getPackageName() + ".Main";

    private static final String TITLE = "<title>Fusebox</title>";

    private PortConflict() {}

    /// The failure with the option to change and, if known, the program that uses the port; any other failure
    /// unchanged.
    static IOException explained(Platform platform, IOException failure, InetSocketAddress address) {
        if (!(failure.getCause() instanceof BindException cause)) {
            return failure;
        }
        String owner = owner(platform, address)
                .map(it -> "; the port is in use by " + it)
                .orElse("");
        return new IOException(
                "cannot listen on " + name(address) + ": " + cause.getMessage() + owner
                        + "; choose another port with --port or http.port",
                failure);
    }

    private static String name(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    /// The program that uses the port, such as `process 4711 (python3)`; empty if it cannot be determined.
    static Optional<String> owner(Platform platform, InetSocketAddress address) {
        Optional<PortOwner> visible = PortOwner.of(address.getPort());
        return visible.isPresent() ? visible.map(PortConflict::described) : hidden(platform, address);
    }

    private static String described(PortOwner owner) {
        boolean isGateway =
                ProcessHandle.of(owner.pid()).filter(PortConflict::isGateway).isPresent();
        return isGateway
                ? "a running Fusebox (process " + owner.pid() + ")"
                : "process " + owner.pid() + " (" + OutputText.plain(owner.command()) + ")";
    }

    /// A gateway denies inspection, which hides its sockets, but it can be recognized by its status page.
    private static Optional<String> hidden(Platform platform, InetSocketAddress address) {
        List<ProcessHandle> gateways =
                ProcessHandle.allProcesses().filter(PortConflict::isGateway).toList();
        if (gateways.isEmpty() || !hasStatusPage(platform, address)) {
            return Optional.empty();
        }
        List<ProcessHandle> named = gateways.stream()
                .filter(gateway -> words(gateway).contains(String.valueOf(address.getPort())))
                .toList();
        List<ProcessHandle> likely = named.isEmpty() ? gateways : named;
        String which = likely.size() == 1 ? "process " : "one of the processes ";
        return Optional.of("a running Fusebox ("
                + which
                + likely.stream().map(gateway -> String.valueOf(gateway.pid())).collect(Collectors.joining(", "))
                + ")");
    }

    private static List<String> words(ProcessHandle process) {
        return List.of(process.info().arguments().orElse(new String[0]));
    }

    /// Whether a process is another gateway with an HTTP front end.
    private static boolean isGateway(ProcessHandle process) {
        List<String> words = words(process);
        return process.pid() != ProcessHandle.current().pid()
                && words.stream().anyMatch(word -> word.endsWith(MAIN_CLASS))
                && (words.contains("demo") || words.stream().anyMatch(word -> word.matches("(--transport=)?http")));
    }

    private static boolean hasStatusPage(Platform platform, InetSocketAddress address) {
        Promise<String> page = new Promise<>();
        try (Socket socket = new Socket()) {
            VirtualThreadStarter.start(
                    "fusebox-port", () -> page.complete(page(socket, address)), () -> page.complete(""));
            String read = page.await(platform, LIMIT);
            return read != null && read.contains(TITLE);
        } catch (IOException unclosed) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Blocks until the page has been read or the socket is closed.
    private static String page(Socket socket, InetSocketAddress address) {
        String request = "GET / HTTP/1.1\r\nHost: " + name(address) + "\r\nConnection: close\r\n\r\n";
        try {
            socket.connect(address);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readNBytes(MAX_BYTES), ISO_8859_1);
        } catch (IOException other) {
            return "";
        }
    }
}
