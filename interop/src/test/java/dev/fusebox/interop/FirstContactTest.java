package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// First contact with official servers, and with one that crashes on `server/discover`: the first list is
/// complete, and a later run starts each server once. The short form of `bench/contact`.
///
/// Over five seconds: thirteen servers start for each of the runs that are compared.
@Tag("interop")
@Timeout(1800)
class FirstContactTest {
    private static final Path BENCH = Path.of("").toAbsolutePath().resolveSibling("bench");
    private static final Duration LIMIT = Duration.ofMinutes(14);

    /// The goal of `bench/contact` is 1.3, of the trained application. Here the gateway is an untrained JVM: its
    /// own start is left out, and code that is not compiled yet costs a fifth of the client's time.
    private static final String MOST = "1.5";

    /// Ends at the first message that is not `initialize`.
    private static final String FRAIL = """
            const say = (id, result) => console.log(JSON.stringify({jsonrpc: '2.0', id, result}));
            const welcome = {protocolVersion: '2025-11-25', capabilities: {tools: {}},
                serverInfo: {name: 'frail', version: '1'}};
            const tools = [{name: 'echo', inputSchema: {type: 'object'}}];
            let isGreeted = false;
            require('readline').createInterface({input: process.stdin}).on('line', (line) => {
                const {id, method} = JSON.parse(line);
                if (!isGreeted && method !== 'initialize') process.exit(1);
                isGreeted = true;
                const results = {'initialize': welcome, 'tools/list': {tools}};
                if (id !== undefined) say(id, results[method] ?? {});
            });
            """;

    /// Of each official server. With few servers the two starts of the frail one would count as much as all
    /// others.
    private static final int COPIES = 3;

    /// The median counts. While it is above the goal there are more, up to twice as many: other tests run
    /// meanwhile.
    private static final String ROUNDS = "3";

    @TempDir
    private Path folder = Path.of("");

    private static void official(JsonWriter servers, String name, String... args) {
        for (int copy = 1; copy <= COPIES; copy++) {
            servers.name(name + "-" + copy).beginObject();
            servers.name("package").string("@modelcontextprotocol/server-" + name);
            servers.name("args").beginArray();
            List.of(args).forEach(servers::string);
            servers.endArray().endObject();
        }
    }

    private static void frail(JsonWriter servers) {
        servers.name("frail").beginObject().name("answersDiscover").bool(false);
        servers.name("command").beginArray();
        List.of(Npm.node(), "-e", FRAIL).forEach(servers::string);
        servers.endArray().endObject();
    }

    private Path servers() throws IOException {
        JsonWriter servers = new JsonWriter().beginObject().name("servers").beginObject();
        official(servers, "everything", "stdio");
        official(servers, "filesystem", "{folder}");
        official(servers, "memory");
        official(servers, "sequential-thinking");
        frail(servers);
        return Files.write(
                folder.resolve("servers.json"), servers.endObject().endObject().bytes());
    }

    /// Over stdio the servers belong to the session and begin with the handshake; over HTTP they are shared, and
    /// are asked `server/discover` first.
    @ParameterizedTest
    @CsvSource({"--stdio, none", "--http, frail"})
    void each_server_starts_once_and_first_list_is_complete(String front, String twice) throws IOException {
        JsonWriter launch = new JsonWriter().beginArray();
        JavaProgram.gateway().forEach(launch::string);
        ProcessBuilder contact = new ProcessBuilder(
                Npm.node(), BENCH.resolve("src/main/js/contact/main.mjs").toString(), "--rounds", ROUNDS, front);
        contact.environment().put("FUSEBOX_LAUNCH", launch.endArray().toString());
        contact.environment().put("FUSEBOX_CONTACT_SERVERS", servers().toString());
        contact.environment()
                .put(
                        "FUSEBOX_CONTACT_PACKAGES",
                        Npm.home().resolve("node_modules").toString());
        contact.environment().put("FUSEBOX_CONTACT_GOAL", MOST);
        contact.environment().put("FUSEBOX_CONTACT_START", "apart");
        Run run = Run.of(contact, LIMIT);
        assertThat(run.out())
                .as(run.toString())
                .contains("started twice: " + twice + ";")
                .doesNotContain("not met");
        assertThat(run.code()).as(run.toString()).isZero();
    }
}
