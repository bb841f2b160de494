package dev.fusebox.gateway.share;

import dev.fusebox.client.StateLossCause;
import dev.fusebox.gateway.front.LineCodec;
import dev.fusebox.gateway.front.StdioFrontEnd;
import dev.fusebox.gateway.session.ClientHistory;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.platform.Timer;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The connection of one connector to a shared gateway. [#run] serves it on the calling thread, until the connector
/// leaves; the other methods are thread-safe and do not block.
final class ClientLink {
    private static final System.Logger LOG = LazyLoggers.of(ClientLink.class);

    /// A connector says who it is within milliseconds.
    private static final Duration HELLO_LIMIT = Duration.ofSeconds(5);

    private static final int HELLO_BYTES = 64 << 10;

    /// For the variables of a client; the system allows little more.
    private static final int VARIABLE_BYTES = 4 << 20;

    private final ShareServer server;
    private final LinkStreams streams;
    private final long number;
    private volatile List<String> asked = List.of();
    private volatile @Nullable StdioFrontEnd front;
    private volatile boolean isMoved;
    private volatile boolean isOfConnector;

    /// The gateway that the client had before; null if this is its first one.
    private @Nullable FormerGateway former;

    /// @param number of the connection, which no other one of this gateway has
    ClientLink(ShareServer server, LinkStreams streams, long number) {
        this.server = server;
        this.streams = streams;
        this.number = number;
    }

    void run() {
        Timer alarm = server.platform().timers().schedule(HELLO_LIMIT, streams::close);
        try (streams;
                SharedServices.Lease lease = hello()) {
            if (alarm.cancel() && lease != null) {
                serve(lease);
            }
        } catch (IOException | SharedServices.Unservable gone) {
            LOG.log(Level.DEBUG, "a client was not served: " + gone.getMessage());
        } catch (RuntimeException ours) {
            LOG.log(Level.ERROR, "failed to serve a client (internal error)", ours);
        } finally {
            alarm.cancel();
        }
    }

    /// Null if the connector was refused.
    private SharedServices.@Nullable Lease hello() throws IOException, SharedServices.Unservable {
        byte[] first = streams.readLine(HELLO_BYTES);
        Hello hello = first == null ? null : Hello.read(first);
        if (hello == null) {
            return refuse("it speaks another version of the protocol between connectors and gateways");
        }
        isOfConnector = true;
        if (!hello.config().equals(server.address().name())) {
            return refuse("it serves " + server.address().name());
        }
        former = hello.former();
        Release release = Release.current(server.options().release());
        List<String> names = server.options().services().variables();
        write(new Welcome.Accepted(release, ProcessHandle.current().pid(), names).bytes());
        asked = names;
        byte[] second = streams.readLine(VARIABLE_BYTES);
        if (second == null) {
            // The connector has started a newer gateway.
            return null;
        }
        try {
            ClientPlace place =
                    new ClientPlace(hello.folder(), names, variables(second, names), hello.expose(), hello.profile());
            SharedServices.Lease lease = server.options().services().open(place);
            write("{}".getBytes(StandardCharsets.UTF_8));
            return lease;
        } catch (SharedServices.Unservable problem) {
            return refuse(String.valueOf(problem.getMessage()));
        }
    }

    /// Variables that were not asked for are ignored.
    private static Map<String, String> variables(byte[] line, List<String> names) throws IOException {
        try {
            Map<String, String> variables = new HashMap<>();
            JsonView.parse(line).forEachMember((name, value) -> {
                String text = value.string();
                if (text != null) {
                    variables.put(name, text);
                }
            });
            return VariableNames.select(names, variables);
        } catch (JsonSyntaxError broken) {
            throw new IOException("the variables are not understood", broken);
        }
    }

    private SharedServices.@Nullable Lease refuse(String why) throws IOException {
        write(new Welcome.Refused(why).bytes());
        return null;
    }

    private void write(byte[] line) throws IOException {
        try (OutputStream out = streams.out()) {
            out.write(line);
            out.write('\n');
        }
    }

    private void serve(SharedServices.Lease lease) throws IOException {
        StdioFrontEnd serving = new StdioFrontEnd(
                server.platform(),
                lease.service(history()),
                SecretIds.system(),
                new StdioFrontEnd.Streams(
                        streams.in(), streams.out(), server.options().limits().clientWrite(), new Marked()));
        front = serving;
        lease.notes().forEach(note -> serving.send(LineMark.NOTE, note.getBytes(StandardCharsets.UTF_8)));
        serving.run(streams::close);
        try {
            serving.leave(server.options().limits().drain());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// Whether a connector has made the connection, and not a program that only looks whether the gateway lives.
    boolean isOfConnector() {
        return isOfConnector;
    }

    private ClientHistory history() {
        Long process = former == null ? null : former.process();
        boolean isSame = process != null && process == ProcessHandle.current().pid();
        return new ClientHistory(
                former == null ? List.of() : former.stateful(),
                isSame ? StateLossCause.RECONNECTED : StateLossCause.GATEWAY_ENDED,
                this::noteState);
    }

    /// Messages are marked, and other lines are for the link itself.
    private final class Marked implements LineCodec {
        @Override
        public byte @Nullable [] message(byte[] buffer, int from, int to) {
            switch (buffer[from]) {
                case LineMark.MESSAGE -> {
                    return LineMark.text(buffer, from, to);
                }
                case LineMark.CHECK -> send(LineMark.ALIVE);
                default -> LOG.log(Level.DEBUG, "a connector has sent a line of an unknown kind");
            }
            return null;
        }

        /// Below 2^53, above which not every client reads a number exactly: 22 bits for the process, 11 for the
        /// connection and 20 for the request.
        @Override
        public long firstRequestId() {
            return (ProcessHandle.current().pid() << 31) + ((number & 0x7ff) << 20) + 1;
        }

        @Override
        public byte mark() {
            return LineMark.MESSAGE;
        }
    }

    /// Written before the result, so that the connector knows it when its client has the result.
    private void noteState(String server) {
        if (server.indexOf('\n') < 0) {
            send(LineMark.STATE, server.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void send(byte mark) {
        send(mark, new byte[0]);
    }

    private void send(byte mark, byte[] text) {
        StdioFrontEnd serving = front;
        if (serving != null) {
            serving.send(mark, text);
        }
    }

    /// Sends the client's next messages to the gateway that has taken over.
    void move() {
        if (!isMoved) {
            isMoved = true;
            send(LineMark.MOVED);
        }
    }

    /// The same, unless a server process here holds state of the client.
    void moveIfFree() {
        StdioFrontEnd serving = front;
        if (serving != null && !serving.holdsState()) {
            move();
        }
    }

    /// Makes a client that was not asked for all of these variables connect again, unless a server process here
    /// holds state of it.
    void moveIfUnasked(List<String> names) {
        if (front != null && !asked.equals(names) && !asked.containsAll(names)) {
            moveIfFree();
        }
    }

    int inFlight() {
        StdioFrontEnd serving = front;
        return serving == null ? 0 : serving.inFlight();
    }

    /// Takes no more calls. The calls in flight are answered, within the limit of the server.
    void end() {
        streams.endInput();
    }

    /// Ends everything at once.
    void close() {
        streams.close();
    }
}
