package dev.fusebox.gateway.routing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.gateway.era.Messages;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A stateless server over HTTP in the process of the test, whose tool `note` takes a number. It sees in which
/// order the heads of requests were written, over however many connections: one thread reads all that has come
/// before it looks again, so what was written earlier is read in the same look or an earlier one. Thread-safe.
final class OrderedRemote implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *(\\d+)");
    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final String RESULT = "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"
            + "\"capabilities\":{\"tools\":{}},\"tools\":[" + EitherClient.tool("note")
            + "],\"content\":[{\"type\":\"text\",\"text\":\"noted\"}],\"ttlMs\":0,\"cacheScope\":\"private\"}";

    private final Selector selector;
    private final ServerSocketChannel server;
    private final Queue<SocketChannel> clients = new ConcurrentLinkedQueue<>();

    /// The look in which the head of the request with a number was read.
    private final NavigableMap<Integer, Integer> looks = new ConcurrentSkipListMap<>();

    private int look;

    private OrderedRemote(Selector selector, ServerSocketChannel server) {
        this.selector = selector;
        this.server = server;
    }

    static OrderedRemote open() {
        try {
            Selector selector = Selector.open();
            ServerSocketChannel server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            OrderedRemote remote = new OrderedRemote(selector, server);
            Thread.ofPlatform().daemon().name("ordered-remote").start(remote::readAll);
            return remote;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.socket().getLocalPort() + "/mcp");
    }

    int came() {
        return looks.size();
    }

    /// Numbers whose request was written after that of a larger one.
    int late() {
        int late = 0;
        int latest = 0;
        for (int seen : looks.values()) {
            late += seen < latest ? 1 : 0;
            latest = Math.max(latest, seen);
        }
        return late;
    }

    private void readAll() {
        try {
            while (selector.isOpen()) {
                selector.select();
                look++;
                int ready = 1;
                while (ready > 0) {
                    handleReady();
                    ready = selector.selectNow();
                }
            }
        } catch (IOException | ClosedSelectorException closed) {
            // The test is over.
        }
    }

    private void handleReady() throws IOException {
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.isAcceptable()) {
                SocketChannel client = server.accept();
                clients.add(client);
                client.configureBlocking(false);
                client.register(selector, SelectionKey.OP_READ, new Incoming());
            } else if (key.attachment() instanceof Incoming incoming) {
                read((SocketChannel) key.channel(), incoming);
            }
        }
        selector.selectedKeys().clear();
    }

    private void read(SocketChannel client, Incoming incoming) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        int count = client.read(bytes);
        if (count < 0) {
            client.close();
            return;
        }
        incoming.text.append(UTF_8.decode(bytes.flip()));
        int head = incoming.text.indexOf(END_OF_HEAD);
        incoming.look = head >= 0 && incoming.look == 0 ? look : incoming.look;
        String body = head < 0 ? "" : incoming.text.substring(head + END_OF_HEAD.length());
        if (head >= 0 && body.length() >= length(incoming.text.substring(0, head))) {
            answer(client, body, incoming.look);
            incoming.text.setLength(0);
            incoming.look = 0;
        }
    }

    private static int length(String head) {
        Matcher length = LENGTH.matcher(head);
        return length.find() ? Integer.parseInt(length.group(1)) : 0;
    }

    private void answer(SocketChannel client, String body, int seen) throws IOException {
        JsonView request = Messages.read(body);
        JsonView number = request.path("params", "arguments", "n");
        if (number != null) {
            looks.put(Integer.parseInt(number.json()), seen);
        }
        JsonView id = request.member("id");
        String answer = id == null ? "" : "{\"jsonrpc\":\"2.0\",\"id\":" + id.json() + ",\"result\":" + RESULT + "}";
        String status = id == null ? "202 Accepted" : "200 OK\r\nContent-Type: application/json";
        client.write(
                ByteBuffer.wrap(("HTTP/1.1 " + status + "\r\nContent-Length: " + answer.length() + END_OF_HEAD + answer)
                        .getBytes(UTF_8)));
    }

    /// What has come of the next request on a connection.
    private static final class Incoming {
        private final StringBuilder text = new StringBuilder();

        /// In which its head was complete; 0 if it is not.
        private int look;
    }

    @Override
    public void close() {
        try {
            selector.close();
            server.close();
            for (SocketChannel client : clients) {
                client.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
