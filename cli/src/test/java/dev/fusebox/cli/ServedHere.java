package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.GatewayClients;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.PersistentState;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.front.McpHttpFront;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// A gateway in this process, built like `serve` does, with a client of the stateless era.
final class ServedHere implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final GatewayCore gateway;
    private final McpHttpFront front;

    private ServedHere(GatewayCore gateway, McpHttpFront front) {
        this.gateway = gateway;
        this.front = front;
    }

    /// @param config text of a configuration
    static ServedHere of(Platform platform, Path folder, String config) throws Exception {
        return of(platform, folder, config, true);
    }

    /// @param noPrefix whether the only server is passed through as it is
    static ServedHere of(Platform platform, Path folder, String config, boolean noPrefix) throws Exception {
        return of(platform, folder, config, CoreOptions.of(new ServeMode(noPrefix, GatewayClients.MANY)));
    }

    /// Several servers, with the logins that are stored in the folder `tokens`.
    static ServedHere withLogins(Platform platform, Path folder, String config) throws Exception {
        return of(
                platform,
                folder,
                config,
                CoreOptions.of(ServeMode.TO_MANY).with(PersistentState.NOTHING.withLogins(folder.resolve("tokens"))));
    }

    private static ServedHere of(Platform platform, Path folder, String config, CoreOptions options) throws Exception {
        Path file = Files.writeString(Files.createTempFile(folder, "config", ".json"), config);
        ReadResult readResult =
                ConfigFile.read(HostEnvironments.of(platform), file, Overrides.NONE.with("--expose", "proxy"));
        if (!(readResult instanceof ReadResult.Usable(Configuration configuration, var warnings))) {
            throw new AssertionError(readResult.problems());
        }
        GatewayCore gateway = GatewayCore.open(platform, configuration, options);
        return new ServedHere(
                gateway, McpHttpFront.open(platform, HttpSettings.loopback(0), gateway.service(), SecretIds.system()));
    }

    /// The address of its MCP endpoint.
    URI uri() {
        return URI.create("http://127.0.0.1:" + front.port() + "/mcp");
    }

    JsonView tools() throws IOException {
        return tools(LONG);
    }

    JsonView tools(Duration limit) throws IOException {
        return ask(limit, "tools/list", "");
    }

    /// A call of a tool without arguments.
    JsonView call(String tool) throws IOException {
        String members = ",\"name\":\"" + tool + "\",\"arguments\":{}";
        return ask(LONG, "tools/call", members, "Mcp-Name: " + tool);
    }

    /// @param members of the parameters, each with a comma in front
    private JsonView ask(Duration limit, String method, String members, String... fields) throws IOException {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{\"_meta\":{"
                + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientCapabilities\":{}}" + members + "}}";
        HttpURLConnection post = (HttpURLConnection) uri().toURL().openConnection();
        post.setReadTimeout(Math.toIntExact(limit.toMillis()));
        post.setDoOutput(true);
        List.of("Content-Type: application/json", "Accept: application/json, text/event-stream")
                .forEach(field -> set(post, field));
        List.of("Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: " + method).forEach(field -> set(post, field));
        List.of(fields).forEach(field -> set(post, field));
        try (OutputStream out = post.getOutputStream()) {
            out.write(body.getBytes(UTF_8));
        }
        InputStream errors = post.getResponseCode() < 400 ? null : post.getErrorStream();
        try (InputStream in = errors == null ? post.getInputStream() : errors) {
            return RunningGateway.read(new String(in.readAllBytes(), UTF_8));
        } finally {
            post.disconnect();
        }
    }

    private static void set(HttpURLConnection post, String field) {
        String[] parts = field.split(": ", 2);
        post.setRequestProperty(parts[0], parts[1]);
    }

    @Override
    public void close() {
        try {
            front.close(Duration.ofMillis(1));
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        } finally {
            gateway.close();
        }
    }
}
