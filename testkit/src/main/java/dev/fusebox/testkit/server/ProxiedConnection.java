package dev.fusebox.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;

/// One connection through a [FaultProxy]: two sockets and a thread for each direction. Ends when either side ends
/// it, when the trouble says so, or when it is reset.
final class ProxiedConnection {
    private static final int BUFFER = 1 << 16;

    private final FaultProxy proxy;
    private final Socket client;
    private final Socket server;

    ProxiedConnection(FaultProxy proxy, Socket client, Socket server) {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
    }

    void start() {
        Thread.ofVirtual().name("to the server").start(() -> carry(this::toServer));
        Thread.ofVirtual().name("to the client").start(() -> carry(this::toClient));
    }

    /// A way from one side to the other, until it ends.
    private interface Direction {
        void carry() throws IOException, InterruptedException;
    }

    private void carry(Direction direction) {
        try {
            direction.carry();
        } catch (IOException e) {
            end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end();
        }
    }

    private void toServer() throws IOException {
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        byte[] buffer = new byte[BUFFER];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            if (proxy.lineFault() instanceof LineFault.HalfClosed && !client.isOutputShutdown()) {
                client.shutdownOutput();
            }
            if (!(proxy.lineFault() instanceof LineFault.BlackHole)) {
                out.write(buffer, 0, read);
            }
        }
        if (!(proxy.lineFault() instanceof LineFault.BlackHole)) {
            server.shutdownOutput();
        }
    }

    private void toClient() throws IOException, InterruptedException {
        InputStream in = server.getInputStream();
        byte[] buffer = new byte[BUFFER];
        long sent = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            if (!pass(buffer, read, sent)) {
                return;
            }
            sent += read;
        }
        if (!(proxy.lineFault() instanceof LineFault.BlackHole)) {
            end();
        }
    }

    /// Whether the connection goes on.
    private boolean pass(byte[] bytes, int length, long sent) throws IOException, InterruptedException {
        OutputStream out = client.getOutputStream();
        return switch (proxy.lineFault()) {
            case LineFault.BlackHole hole -> true;
            case LineFault.HalfClosed halfClosed -> true;
            case LineFault.Dripping(Duration apart) -> drip(bytes, length, apart);
            case LineFault.Delayed(Duration by) -> {
                proxy.platform().pause(by);
                out.write(bytes, 0, length);
                yield true;
            }
            case LineFault.CutAfter(long limit) -> upTo(limit - sent, bytes, length) || end();
            case LineFault.ResetAfter(long limit) -> upTo(limit - sent, bytes, length) || reset();
            case LineFault.None none -> whole(bytes, length);
            case LineFault.Refused refused -> reset();
            case LineFault.Reset reset -> reset();
            case LineFault.Unanswered unanswered -> whole(bytes, length);
        };
    }

    private boolean whole(byte[] bytes, int length) throws IOException {
        client.getOutputStream().write(bytes, 0, length);
        return true;
    }

    private boolean drip(byte[] bytes, int length, Duration apart) throws IOException, InterruptedException {
        for (int i = 0; i < length; i++) {
            client.getOutputStream().write(bytes, i, 1);
            proxy.platform().pause(apart);
        }
        return true;
    }

    /// Whether there is room for more.
    private boolean upTo(long room, byte[] bytes, int length) throws IOException {
        int fits = Math.clamp(room, 0, length);
        client.getOutputStream().write(bytes, 0, fits);
        return room > length;
    }

    /// Ends both sides in good order; false, because it does not go on.
    private boolean end() {
        close(client);
        close(server);
        proxy.ended(this);
        return false;
    }

    /// Ends both sides at once; false, because it does not go on.
    boolean reset() {
        reset(client);
        reset(server);
        proxy.ended(this);
        return false;
    }

    static void reset(Socket socket) {
        try {
            // Closing with no time to linger sends a reset instead of an end.
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // Closed already: then there is nothing to reset.
        }
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close a socket", e);
        }
    }
}
