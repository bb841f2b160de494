package dev.fusebox.interop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Splice;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// An HTTP proxy in front of a gateway with many servers, for clients that use one server's original tool names:
/// it adds the prefix to names in requests and passes everything else through. Thread-safe.
final class PrefixProxy implements AutoCloseable {
    private static final Set<String> HOP_BY_HOP =
            Set.of("connection", "content-length", "host", "transfer-encoding", "upgrade", "expect", "keep-alive");

    private static final Set<String> NAMED = Set.of("tools/call", "prompts/get");

    private final URI gateway;
    private final String prefix;
    private final HttpServer server;
    private final HttpClient client;
    private final ExecutorService exchanges = Executors.newVirtualThreadPerTaskExecutor();

    private PrefixProxy(URI gateway, String prefix, HttpServer server) {
        this.gateway = gateway;
        this.prefix = prefix;
        this.server = server;
        this.client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    /// @param prefix before the names of the one server, such as `peer__`
    static PrefixProxy before(Gateway gateway, String prefix) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            PrefixProxy proxy = new PrefixProxy(URI.create(gateway.url()), prefix, server);
            server.createContext("/", proxy::pass);
            server.setExecutor(proxy.exchanges);
            server.start();
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/mcp";
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpResponse<InputStream> response =
                    client.send(request(exchange), HttpResponse.BodyHandlers.ofInputStream());
            response.headers().map().forEach((name, values) -> {
                if (isEndToEnd(name)) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            boolean isEmpty = response.headers().firstValue("content-type").isEmpty();
            exchange.sendResponseHeaders(response.statusCode(), isEmpty ? -1 : 0);
            try (InputStream from = response.body();
                    OutputStream to = exchange.getResponseBody()) {
                copy(from, to);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /// Events go on as they come.
    private static void copy(InputStream from, OutputStream to) throws IOException {
        byte[] buffer = new byte[8192];
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            to.write(buffer, 0, read);
            to.flush();
        }
    }

    private HttpRequest request(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        HttpRequest.Builder request = HttpRequest.newBuilder(gateway)
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(prefixed(body)));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (isEndToEnd(name)) {
                values.forEach(value -> request.header(name, isName(name, exchange) ? prefix + value : value));
            }
        });
        return request.build();
    }

    private static boolean isEndToEnd(String header) {
        return !HOP_BY_HOP.contains(header.toLowerCase(Locale.ROOT)) && !header.startsWith(":");
    }

    private static boolean isName(String header, HttpExchange exchange) {
        return header.equalsIgnoreCase("mcp-name")
                && NAMED.contains(String.valueOf(exchange.getRequestHeaders().getFirst("Mcp-Method")));
    }

    private byte[] prefixed(byte[] body) {
        try {
            JsonView message = JsonView.parse(body);
            JsonView name = name(message);
            return name == null
                    ? body
                    : Splice.of(message)
                            .replace(name, JsonWriter.quoted(prefix + name.string()))
                            .bytes();
        } catch (JsonSyntaxError none) {
            return body;
        }
    }

    private static @Nullable JsonView name(JsonView message) {
        boolean isNamed = message.isObject() && NAMED.contains(String.valueOf(message.string("method")));
        JsonView name = isNamed ? message.path("params", "name") : null;
        return name != null && name.isString() ? name : null;
    }

    @Override
    public void close() {
        client.shutdownNow();
        server.stop(0);
        exchanges.shutdownNow();
        client.close();
    }
}
