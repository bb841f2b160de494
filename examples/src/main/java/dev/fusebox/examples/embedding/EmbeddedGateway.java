package dev.fusebox.examples.embedding;

import dev.fusebox.gateway.Gateway;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;

/// A gateway inside a Java program, with one call through it. Not thread-safe; blocks until the gateway has ended.
public final class EmbeddedGateway {
    private static final String LIST_TOOLS = """
            {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{\
            "io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{}}}}""";

    private EmbeddedGateway() {}

    /// Runs the example.
    ///
    /// @param args a configuration file
    public static void main(String[] args) throws Exception {
        run(Path.of(args[0]), System.out);
    }

    // region: embed
    static void run(Path config, PrintStream out) throws Exception {
        try (Gateway gateway = Gateway.start(config);
                HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(gateway.address()) // http://127.0.0.1:7332/mcp
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .header("Mcp-Protocol-Version", "2026-07-28")
                    .header("Mcp-Method", "tools/list")
                    .POST(BodyPublishers.ofString(LIST_TOOLS))
                    .build();
            out.println(client.send(request, BodyHandlers.ofString()).body());
        } // calls in flight have finished; processes, threads and the port are gone
    }
    // end: embed
}
