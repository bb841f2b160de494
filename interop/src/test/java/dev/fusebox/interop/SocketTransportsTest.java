package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.protocol.JsonView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The official server "everything" over WebSocket (by the package `ws`), and over TCP and Unix sockets (behind
/// `socat`): lists and results are the same through the gateway as from a process, to the last byte of their JSON.
///
/// Over five seconds: the first test of the module waits for npm.
@Tag("interop")
@Timeout(900)
class SocketTransportsTest {
    private static final List<String> LISTS = List.of("initialize", "tools", "resources", "prompts");

    private static final String CALLS = """
            [{"name": "echo", "arguments": {"message": "Grüße 🌍"}},
             {"name": "get-sum", "arguments": {"a": 2, "b": 40}},
             {"name": "get-tiny-image", "arguments": {}},
             {"name": "get-structured-content", "arguments": {"location": "New York"}},
             {"name": "trigger-long-running-operation", "arguments": {"duration": 1, "steps": 5}},
             {"name": "trigger-sampling-request", "arguments": {"prompt": "What is new?"}}]""";

    @TempDir
    private Path folder = Path.of("");

    enum Transport {
        WEBSOCKET,
        TCP,
        UNIX
    }

    static Stream<Arguments> waysAndTransports() {
        return Stream.of(Way.STDIO, Way.HTTP)
                .flatMap(way -> Stream.of(Transport.values()).map(transport -> Arguments.of(way, transport)));
    }

    @ParameterizedTest
    @MethodSource("waysAndTransports")
    void everything_server_is_the_same_as_from_a_process(Way way, Transport transport) {
        Served served = Served.ofPackage("@modelcontextprotocol/server-everything", "stdio");
        JsonView direct = Scripts.run("calls.mjs", served.direct(), CALLS);
        try (Program server = start(transport, served)) {
            Path configuration = Configuration.of(folder, url(transport, server), Map.of());
            JsonView through = way.through(configuration, target -> Scripts.run("calls.mjs", target, CALLS));

            for (String list : LISTS) {
                assertThat(Scripts.part(through, list).json())
                        .as(list)
                        .isEqualTo(Scripts.part(direct, list).json());
            }
            JsonView calls = Scripts.part(through, "calls");
            assertThat(calls.json()).isEqualTo(Scripts.part(direct, "calls").json());
            assertThat(calls.json()).contains("Grüße 🌍", "42", "image/png", "structuredContent", "heard: ");
        }
    }

    private String url(Transport transport, Program server) {
        return switch (transport) {
            case WEBSOCKET -> server.said();
            case TCP -> "tcp://127.0.0.1:" + server.said();
            case UNIX -> {
                assertThat(server.said()).contains(folder.resolve("s").toString());
                yield "unix:" + folder.resolve("s");
            }
        };
    }

    private Program start(Transport transport, Served served) {
        return switch (transport) {
            case WEBSOCKET ->
                Program.start(
                        "WebSocket server",
                        new ProcessBuilder(Npm.node(), Npm.script("websocket-everything.mjs")),
                        "listening on ");
            case TCP -> socat("TCP-LISTEN:0,bind=127.0.0.1,fork", "listening on AF=2 127.0.0.1:", served);
            case UNIX -> socat("UNIX-LISTEN:" + folder.resolve("s") + ",fork", "listening on AF=1 ", served);
        };
    }

    /// A process of the server for each connection.
    private static Program socat(String listen, String sign, Served served) {
        assumeTrue(isInstalled(), "skipped: socat is not on the PATH");
        List<String> command = List.of("socat", "-d", "-d", listen, "EXEC:" + String.join(" ", served.command()));
        return Program.start("socat", new ProcessBuilder(command), sign);
    }

    private static boolean isInstalled() {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(each -> Files.isExecutable(Path.of(each, "socat")));
    }
}
