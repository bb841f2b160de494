package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server with hidden characters in all that it says of itself, before a gateway and commands that are
/// processes.
///
/// Over five seconds: each command is a JVM.
@Tag("process")
@Timeout(240)
class HiddenTextProcessTest {
    private static final Pattern SERVING = Pattern.compile("serving on (http://[^/]+)");

    /// A change of direction, a blank without width, an escape sequence, a tag, an isolate.
    private static final String HIDDEN = "\\u202e\\u200b\\u001b[31m\\udb40\\udc41\\u2066";

    /// `fail` is refused, `die` ends the process; each with hidden characters in what is said of it.
    private static final String SERVER = """
            printf 'noise \\342\\200\\256\\033[2J noise\\n' >&2
            H=$1
            tool() { printf '%s' '{"name":"'"$1"'","title":"'"$H"'","description":"a '"$H"'","inputSchema":' \\
                '{"type":"object","properties":{"p'"$H"'":{"description":"'"$H"'"}}},' \\
                '"annotations":{"title":"'"$H"'"}}'; }
            while IFS= read -r line; do
              case $line in *'"id":'*) ;; *) continue ;; esac
              rest=${line#*'"id":'}
              end='"error":{"code":-32000,"message":"no'"$H"'"}'
              case $line in
                *'"initialize"'*)
                  end='"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"instructions":"'"$H"'",'
                  end=$end'"serverInfo":{"name":"n'"$H"'","title":"'"$H"'","version":"1'"$H"'"}}' ;;
                *'"tools/list"'*) end="\\"result\\":{\\"tools\\":[$(tool fail),$(tool die),$(tool "o${H}dd")]}" ;;
                *'"die"'*) printf 'last \\342\\200\\256\\033[31m words\\n' >&2; exit 3 ;;
              esac
              printf '{"jsonrpc":"2.0","id":%s,%s}\\n' "${rest%%[,\\}]*}" "$end"
            done
            """;

    @TempDir
    private Path folder;

    private final Map<String, String> written = new LinkedHashMap<>();
    private Process gateway;
    private String address;

    @BeforeEach
    void serve() throws IOException {
        Path server = Files.writeString(folder.resolve("server.sh"), SERVER);
        String entry = "{\"command\":\"/bin/sh\",\"args\":[" + JsonWriter.quoted(server.toString()) + ","
                + JsonWriter.quoted(HIDDEN) + "],\"era\":\"legacy\"}";
        Files.writeString(
                folder.resolve("config.json"), "{\"mcpServers\":{\"odd\":" + entry + "},\"http\":{\"port\":0}}");
        gateway = launched("serve", "--expose", "both", "--transport", "http")
                .redirectError(folder.resolve("err").toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .start();
        eventually("the gateway is serving", () -> assertThat(errors()).containsPattern(SERVING));
        Matcher serving = SERVING.matcher(errors());
        assertThat(serving.find()).isTrue();
        address = serving.group(1);
    }

    @AfterEach
    void end() throws InterruptedException {
        gateway.destroyForcibly().waitFor();
    }

    private ProcessBuilder launched(String... words) {
        List<String> command = new ArrayList<>(Launched.command(words));
        if (words[0].equals("serve") || words[0].equals("doctor")) {
            command.addAll(List.of("--config", folder.resolve("config.json").toString()));
        }
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("FUSEBOX_HOME", folder.resolve("home").toString());
        return builder;
    }

    private String errors() {
        return Disk.read(folder.resolve("err"));
    }

    private void run(String... words) throws Exception {
        Process command = launched(words).redirectErrorStream(true).start();
        command.getOutputStream().close();
        written.put(String.join(" ", words), new String(command.getInputStream().readAllBytes(), UTF_8));
        assertThat(command.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    /// @param body null to get what is there
    private String sent(String path, @Nullable String body, List<String> headers) throws IOException {
        HttpURLConnection request =
                (HttpURLConnection) URI.create(address + path).toURL().openConnection();
        for (int i = 0; i < headers.size(); i += 2) {
            request.setRequestProperty(headers.get(i), headers.get(i + 1));
        }
        if (body != null) {
            request.setDoOutput(true);
            request.getOutputStream().write(body.getBytes(UTF_8));
        }
        try (InputStream in = request.getInputStream()) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private String call(String tool, String arguments) throws IOException {
        String body = RunningGateway.body("tools/call", RunningGateway.toolCall(tool, arguments));
        return sent("/mcp", body, RunningGateway.headers("tools/call", "Mcp-Name", tool));
    }

    @Test
    void no_output_contains_hidden_characters() throws Exception {
        written.put("discover", call("mcp_discover", "{\"server\":\"odd\"}"));
        assertThat(written.get("discover")).contains("fail", "die").doesNotContain("udb40");
        assertThat(call("odd__fail", "{}"))
                .as("what a server answers passes as it is")
                .contains("\\u202e");
        written.put("crash", call("odd__die", "{}"));
        assertThat(written.get("crash")).contains("server_crashed", "last ");
        for (String path : List.of(
                "/", "/metrics", "/api/v1/servers", "/api/v1/servers/odd", "/api/v1/tools", "/api/v1/tools?query=a")) {
            written.put(path, sent(path, null, List.of()));
        }
        for (String line : List.of(
                "status --json",
                "tools",
                "tools --json",
                "tools fail --json",
                "doctor",
                "doctor --json",
                "doctor --fresh",
                "list")) {
            run(line.split(" ", -1));
        }
        written.put("log", errors());
        assertThat(errors()).contains("omitted tools: 1; their names contain control or hidden characters", "last ");
        assertThat(written.get("doctor")).contains("2 of its tools contain hidden characters", "[hidden-text]");
        assertThat(written.get("doctor --json")).contains("hidden-text");
        assertThat(written.get("doctor --fresh"))
                .contains("its handshake contains hidden characters", "1 of its tools are invalid", "2 of its tools");
        assertThat(written.get("tools --json")).contains("fail");
        assertThat(written)
                .allSatisfy((from, text) ->
                        assertThat(isVisible(text)).as(() -> from + ": " + text).isTrue());
    }

    /// Also where the text is JSON, which may write hidden characters as escapes.
    private static boolean isVisible(String text) {
        boolean isJson = text.startsWith("{") && text.lines().count() == 1;
        return !HiddenCharacters.hasHidden(text) && !(isJson && HiddenCharacters.hasHidden(JsonView.of(text.strip())));
    }
}
