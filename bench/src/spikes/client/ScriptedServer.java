package dev.fusebox.client.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// A server on raw sockets for `ClientBehaviour`: a script for each connection, and the requests that arrived.
final class ScriptedServer {
    /// How many heads of requests arrived.
    static final AtomicInteger ARRIVED = new AtomicInteger();

    static final List<String> HEADS = new CopyOnWriteArrayList<>();

    private ScriptedServer() {}

    /// Serves one connection, which is closed when it returns.
    interface Script {
        void serve(Socket socket) throws Exception;
    }

    static ServerSocket open(Script script) throws IOException {
        ServerSocket server = new ServerSocket(0, 200, InetAddress.getByName("127.0.0.1"));
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket socket = server.accept();
                    Thread.ofVirtual().start(() -> serve(script, socket));
                } catch (IOException closed) {
                    return;
                }
            }
        });
        return server;
    }

    private static void serve(Script script, Socket socket) {
        try (socket) {
            script.serve(socket);
        } catch (Exception ended) {
            // The client has closed the connection.
        }
    }

    static void head(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("ended");
            }
            text.append((char) next);
        }
        ARRIVED.incrementAndGet();
        HEADS.add(text.toString());
        int length = text.indexOf("Content-Length: ");
        if (length > 0) {
            in.readNBytes(Integer.parseInt(text.substring(length + 16, text.indexOf("\r", length))));
        }
    }

    static void answer(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes());
    }
}
