package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A host of apps in Chromium before two servers, all built with the official package for apps. Both servers have
/// their app at the same address, and a tool of the same name for it. Only where Chromium is installed (Debian's
/// package `chromium`).
///
/// Over five seconds: a browser, two servers and a gateway start.
@Tag("interop")
@Timeout(300)
@EnabledIf("hasBrowser")
class AppsInBrowserTest {
    private static final List<String> NAMES = List.of("left", "right");
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private Path folder = Path.of("");

    static boolean hasBrowser() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "chromium")));
    }

    private static Served server(String name) {
        return new Served(List.of(Npm.node(), Npm.script("app-server.mjs"), name), Map.of());
    }

    private static JsonView seen(Gateway gateway) throws JsonSyntaxError {
        ProcessBuilder host = new ProcessBuilder(Npm.node(), Npm.script("app-host.mjs"), gateway.url());
        String out = Run.of(host, LIMIT).succeeds().out();
        return JsonView.parse(out.strip().getBytes(StandardCharsets.UTF_8));
    }

    private static JsonView app(JsonView seen, String name) {
        return Objects.requireNonNull(seen.path("apps", name + "__show"), seen::json);
    }

    private static List<String> addresses(JsonView seen) {
        return NAMES.stream().map(name -> text(app(seen, name), "uri")).toList();
    }

    private static String text(JsonView app, String... path) {
        return Objects.requireNonNull(
                Objects.requireNonNull(app.path(path), app::json).string());
    }

    /// @param isOfAgents whether clients see the gateway's own tools, and of the servers' only those with apps
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void host_renders_apps_with_one_address_and_each_calls_its_own_tools(boolean isOfAgents) throws JsonSyntaxError {
        Map<String, Served> servers = new LinkedHashMap<>();
        NAMES.forEach(name -> servers.put(name, server(name)));
        Path configuration = Configuration.ofSessions(folder, servers);
        try (Gateway gateway = isOfAgents ? Gateway.ofAgents(configuration, folder) : Gateway.ofMany(configuration)) {
            JsonView seen = seen(gateway);

            assertThat(addresses(seen))
                    .as("the one that lists its tools first keeps its address")
                    .isIn(
                            List.of("ui://board/main", "ui://right/board/main"),
                            List.of("ui://left/board/main", "ui://board/main"));
            for (String name : NAMES) {
                JsonView app = app(seen, name);
                assertThat(text(app, "read", "uri")).isEqualTo(text(app, "uri"));
                assertThat(text(app, "read", "mimeType")).isEqualTo("text/html;profile=mcp-app");
                assertThat(text(app, "shown"))
                        .as("the server learns what the host renders")
                        .isEqualTo(name + " shows; the client renders text/html;profile=mcp-app");
                assertThat(text(app, "refresh")).isEqualTo(name + " has refresh");
                assertThat(text(app, "own")).isEqualTo(name + " has own_" + name);
                assertThat(text(app, "again")).as("with both of them rendered").isEqualTo(name + " has own_" + name);
            }
        }
    }
}
