package dev.fusebox.client.websocket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.protocol.JsonView;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// WebSocket server with scripted raw bytes. Each connection has a virtual thread; a script that ends closes it.
final class FrameServer implements AutoCloseable {
    static final int TEXT = 1;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    /// The heads of all upgrade requests, line by line.
    final List<List<String>> requests = new CopyOnWriteArrayList<>();
    /// The codes of the close frames of the client; 0 for one without a code.
    final List<Integer> closes = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ServerSocket listener;
    private final Script script;

    /// Script of one connection, from its upgrade request on.
    @FunctionalInterface
    interface Script {
        /// Serves one connection.
        ///
        /// @param number of the connection, from 1 on
        void run(Peer peer, int number) throws IOException;
    }

    FrameServer(Script script) throws IOException {
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.script = script;
        Thread.ofVirtual().start(this::accept);
    }

    /// A server that accepts every upgrade, and then runs the script on the first connection and answers every
    /// request on later ones.
    static FrameServer firstThenGood(Script first) throws IOException {
        return new FrameServer((peer, number) -> {
            peer.accept();
            if (number == 1) {
                first.run(peer, number);
            } else {
                peer.answerAll();
            }
        });
    }

    URI uri() {
        return URI.create("ws://127.0.0.1:" + listener.getLocalPort() + "/mcp?key=secret");
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                open.add(socket);
                int number = connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket, number));
            }
        } catch (IOException ended) {
            // The server is closed.
        }
    }

    private void serve(Socket socket, int number) {
        try (socket) {
            socket.setTcpNoDelay(true);
            script.run(new Peer(socket), number);
        } catch (IOException gone) {
            // The client has closed, which many tests expect.
        } finally {
            open.remove(socket);
        }
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    /// One frame of the client, unmasked.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Frame(int first, boolean isMasked, byte[] payload) {
        int opcode() {
            return first & 0x0F;
        }

        String text() {
            return new String(payload, UTF_8);
        }

        JsonView json() {
            return JsonView.of(text());
        }

        String id() {
            JsonView id = json().member("id");
            return id == null ? "none" : id.json();
        }

        /// The result of this request.
        String result(String result) {
            return "{\"jsonrpc\":\"2.0\",\"id\":" + id() + ",\"result\":" + result + "}";
        }
    }

    /// One connection.
    final class Peer {
        final Socket socket;
        private final DataInputStream in;
        private String key = "";

        Peer(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        }

        /// Reads the upgrade request.
        void readHead() throws IOException {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.readUnsignedByte());
            }
            List<String> lines = head.toString().strip().lines().toList();
            requests.add(lines);
            for (String line : lines) {
                if (line.startsWith("Sec-WebSocket-Key: ")) {
                    key = line.substring("Sec-WebSocket-Key: ".length());
                }
            }
        }

        /// Accepts the upgrade with the subprotocol.
        void accept() throws IOException {
            readHead();
            write(switching("Sec-WebSocket-Protocol: mcp\r\n").getBytes(ISO_8859_1));
        }

        String switching(String fields) {
            return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
                    + "Sec-WebSocket-Accept: " + accepted() + "\r\n" + fields + "\r\n";
        }

        String accepted() {
            try {
                byte[] bytes = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(ISO_8859_1);
                return Base64.getEncoder()
                        .encodeToString(MessageDigest.getInstance("SHA-1").digest(bytes));
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        void write(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        }

        void text(String text) throws IOException {
            write(frame(0x80 | TEXT, text.getBytes(UTF_8)));
        }

        /// The next frame of the client; a close frame is recorded.
        Frame next() throws IOException {
            int first = in.readUnsignedByte();
            int second = in.readUnsignedByte();
            int length = second & 0x7F;
            length = length == 126 ? in.readUnsignedShort() : length == 127 ? (int) in.readLong() : length;
            boolean isMasked = (second & 0x80) != 0;
            byte[] mask = isMasked ? in.readNBytes(4) : new byte[4];
            byte[] payload = in.readNBytes(length);
            for (int i = 0; i < payload.length; i++) {
                payload[i] ^= mask[i % 4];
            }
            if ((first & 0x0F) == CLOSE) {
                closes.add(payload.length < 2 ? 0 : ((payload[0] & 0xFF) << 8) | (payload[1] & 0xFF));
            }
            return new Frame(first, isMasked, payload);
        }

        /// The next request of the client.
        Frame request() throws IOException {
            Frame frame = next();
            while (frame.opcode() != TEXT || frame.id().equals("none")) {
                frame = next();
            }
            return frame;
        }

        void answerAll() throws IOException {
            while (true) {
                text(request().result("{\"content\":[]}"));
            }
        }

        /// Reads nothing as long as the server is open.
        void readNothing() throws IOException {
            try {
                closed.await();
            } catch (InterruptedException stopped) {
                throw new IOException(stopped);
            }
        }

        /// Reads until the client has closed.
        void readToEnd() throws IOException {
            while (true) {
                next();
            }
        }
    }

    /// One frame of a server.
    ///
    /// @param first byte, with the opcode
    static byte[] frame(int first, byte[] payload) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.writeBytes(head(first, payload.length));
        frame.writeBytes(payload);
        return frame.toByteArray();
    }

    static byte[] frame(int first, String payload) {
        return frame(first, payload.getBytes(UTF_8));
    }

    /// The head of a frame of a server.
    static byte[] head(int first, long length) {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.write(first);
        int bytes = length < 126 ? 0 : length <= 0xFFFF ? 2 : 8;
        head.write(bytes == 0 ? (int) length : bytes == 2 ? 126 : 127);
        for (int i = bytes - 1; i >= 0; i--) {
            head.write((int) (length >>> (8 * i)));
        }
        return head.toByteArray();
    }
}
