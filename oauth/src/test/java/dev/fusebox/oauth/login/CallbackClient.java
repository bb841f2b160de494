package dev.fusebox.oauth.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.CompletableFuture;

/// A client of a callback listener that sends any head. Thread-safe; blocks until the connection ends.
record CallbackClient(int port, String state) {
    static CallbackClient of(CallbackListener listener, AuthorizationRequest request) {
        return new CallbackClient(URI.create(listener.redirectUri()).getPort(), request.state());
    }

    String host() {
        return "Host: 127.0.0.1:" + port;
    }

    /// The query of a response with the right state.
    String valid(String parameters) {
        return parameters + "&state=" + state;
    }

    /// Sends what a browser sends; returns the head and the body of the response.
    String get(String query, String... headers) {
        String[] all = new String[headers.length + 1];
        all[0] = host();
        System.arraycopy(headers, 0, all, 1, headers.length);
        return send("GET /callback?" + query, all);
    }

    CompletableFuture<String> getLater(String query) {
        CompletableFuture<String> response = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                response.complete(get(query));
            } catch (UncheckedIOException failed) {
                response.completeExceptionally(failed);
            }
        });
        return response;
    }

    /// Sends a request with exactly these header lines.
    String send(String methodAndTarget, String... headers) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String head =
                    methodAndTarget + " HTTP/1.1\r\nConnection: close\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
