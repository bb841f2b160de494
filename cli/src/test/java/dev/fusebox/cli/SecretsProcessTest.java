package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Fourteen secrets are planted where people put them, servers shout them wherever they can, and everything that
/// the gateway and its commands write is searched for them. Takes some seconds, because processes start and crash.
///
/// ```
/// server     planted in                    fails by                            and shouts
///  crashing  env (S1-S3, S5, S6), an       1  a crash with its last words      plain, JSON, base64 (also in
///            argument (S4), inheritEnv (S14)                                   lines), URL, in two writes, on two
///                                                                              lines
///                                          2  noise on standard output         plain
///  mute      env (S1), an argument (S4)    3  no answer to the handshake       on standard error
///  missing   command (S7)                  4  a program that is not there      its path
///  barred    a header (S8)                 5  401                              all it was sent, also in base64
///  broken    a header with a scheme (S9)   6  500                              the same
///  page      a header (S8)                 7  an answer that is no MCP         the same
///  moved     a header (S8)                 8  302                              the same
///  busy      a header (S9)                 9  429                              the same
///  gone      a header (S9)                10  404                              the same
///  refusing  the query of its url (S10)   11  a port at which nobody listens   -
///  faulty    its url (S11)                12  a scheme that nobody knows       -
///  odd       an unknown key (S12)         13  an error in the configuration    -
///            a value (S13)                14  a value of the wrong type        -
/// ```
@Tag("process")
@Timeout(120)
class SecretsProcessTest {
    private static final Pattern SERVING = Pattern.compile("serving on (http://[^/]+)");

    /// Parts of this length are long enough to be of use to somebody, and to stand nowhere by chance.
    private static final int PART = 9;

    /// Says its tools, one of which is described by its secret and answers with it; `die` shouts and ends.
    private static final String SERVER = """
            while IFS= read -r line; do
              case $line in *'"id":'*) ;; *) continue ;; esac
              rest=${line#*'"id":'}
              case $line in
                *'"initialize"'*)
                  echo "noise $TOLD"
                  result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
                  result=$result'"serverInfo":{"name":"s","version":"1"}}' ;;
                *'"tools/list"'*)
                  result='{"tools":[{"name":"die","description":"for '$TOLD'","inputSchema":{"type":"object"}},'
                  result=$result'{"name":"tell","inputSchema":{"type":"object"}}]}' ;;
                *'"tell"'*) result='{"content":[{"type":"text","text":"'$TOLD'"}]}' ;;
                *) cat "$1" >&2; printf '%.9s' "$HALVES" >&2; sleep 0.05; printf '%s\\n' "${HALVES#?????????}" >&2
                   printf 'it begins %.14s\\n' "$HALVES" >&2; printf '%s ends it\\n' "${HALVES#??????????????}" >&2
                   echo "$MY_TOKEN" >&2; exit 3 ;;
              esac
              printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "${rest%%[,\\}]*}" "$result"
            done
            """;

    @TempDir
    Path folder;

    private final Map<String, String> secrets = new LinkedHashMap<>();
    private final Map<String, String> written = new LinkedHashMap<>();
    private EchoingServer elsewhere;
    private final long begun = System.nanoTime();
    private Process gateway;
    private String address;

    @BeforeEach
    void plant() throws Exception {
        for (int i = 1; i <= 14; i++) {
            // Each has something that JSON, addresses or HTML write otherwise.
            secrets.put("S" + i, String.format("%02dq\"W/x+%s&Zé=%02d", i, Long.toString(77_777_777L * i, 36), i));
        }
        // These go where not every character may.
        List.of("S4", "S5", "S6", "S7", "S11")
                .forEach(name -> secrets.compute(
                        name, (key, secret) -> "plain-" + Long.toString(88_888_888L * key.hashCode(), 36) + "-secret"));
        List.of("S8", "S9").forEach(name -> secrets.compute(name, (key, secret) -> ascii(key)));
        elsewhere = EchoingServer.open();
        Path script = Files.writeString(folder.resolve("server.sh"), SERVER);
        Path shouts = Files.writeString(folder.resolve("shouts"), shouted());
        Path config = Files.writeString(folder.resolve("config.json"), config(script, shouts));
        ProcessBuilder builder = launched(
                        "serve", "--config", config.toString(), "--expose", "proxy", "--transport", "http")
                .redirectError(folder.resolve("err").toFile())
                .redirectOutput(folder.resolve("out").toFile());
        gateway = builder.start();
        eventually("the gateway is serving", () -> assertThat(errors()).containsPattern(SERVING));
        Matcher serving = SERVING.matcher(errors());
        assertThat(serving.find()).isTrue();
        address = serving.group(1);
    }

    @AfterEach
    void end() throws Exception {
        gateway.destroyForcibly().waitFor();
        elsewhere.close();
    }

    private ProcessBuilder launched(String... words) {
        ProcessBuilder builder = new ProcessBuilder(Launched.command(words));
        builder.environment().putAll(secrets);
        builder.environment().put("MY_TOKEN", secret("S14"));
        builder.environment().put("FUSEBOX_HOME", folder.resolve("home").toString());
        return builder;
    }

    private String errors() {
        try {
            return Files.readString(folder.resolve("err"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// What a server writes to its errors: secrets as they are and in their disguises.
    private String shouted() {
        String plain = secret("S1");
        return Stream.of(
                        "raw " + plain,
                        "basic " + Base64.getEncoder().encodeToString(("me:" + secret("S2")).getBytes(UTF_8)),
                        "wrapped\n"
                                + Base64.getMimeEncoder(20, new byte[] {'\n'})
                                        .encodeToString(("me:" + plain + "!").getBytes(UTF_8)),
                        "at http://h/?k=" + URLEncoder.encode(secret("S3"), UTF_8),
                        new JsonWriter()
                                .beginObject()
                                .name("key")
                                .string(plain)
                                .endObject()
                                .toString(),
                        "argument " + secret("S4"))
                .reduce("", (all, line) -> all + line + "\n");
    }

    private String config(Path script, Path shouts) {
        String crashing = "{\"command\":\"/bin/sh\",\"args\":[\"" + script + "\",\"" + shouts + "\",\"--token\",\""
                + secret("S4")
                + "\"],\"env\":{\"A\":\"${S1}\",\"B\":\"${S2}\",\"C\":\"<${S3}>\",\"HALVES\":\"${S5}\","
                + "\"TOLD\":\"${S6}\"},\"inheritEnv\":[\"MY_TOKEN\"],\"era\":\"legacy\"}";
        String mute =
                "{\"command\":\"/bin/sh\",\"args\":[\"-c\",\"echo $A $1 >&2; read -r x; read -r x; sleep 60\",\"sh\",\""
                        + secret("S4") + "\",\"--token\",\"" + secret("S4")
                        + "\"],\"env\":{\"A\":\"${S1}\"},\"era\":\"legacy\",\"connectTimeoutMs\":1000}";
        String there = "\"http://127.0.0.1:" + elsewhere.port();
        return "{\"mcpServers\":{\"crashing\":" + crashing
                + ",\"missing\":{\"command\":\"/nowhere/${S7}/program\"}"
                + ",\"barred\":{\"url\":" + there + "/401\",\"headers\":{\"X-Key\":" + quoted("S8") + "}}"
                + ",\"broken\":{\"url\":" + there + "/500\",\"headers\":{\"X-Other\":\"Bearer ${S9}\"}}"
                + ",\"page\":{\"url\":" + there + "/200\",\"headers\":{\"X-Key\":" + quoted("S8") + "}}"
                + ",\"moved\":{\"url\":" + there + "/302\",\"headers\":{\"X-Key\":" + quoted("S8") + "}}"
                + ",\"busy\":{\"url\":" + there + "/429\",\"headers\":{\"X-Other\":\"Bearer ${S9}\"}}"
                + ",\"gone\":{\"url\":" + there + "/404\",\"headers\":{\"X-Other\":\"Bearer ${S9}\"}}"
                + ",\"mute\":" + mute
                + ",\"refusing\":{\"url\":\"http://127.0.0.1:" + BrokenSetups.CLOSED_PORT + "/mcp?key="
                + URLEncoder.encode(secret("S10"), UTF_8)
                + "\"},\"faulty\":{\"url\":\"gopher://h/${S11}\"}"
                + ",\"odd\":{\"command\":\"c\",\"comand\":" + quoted("S12") + ",\"timeoutMs\":" + quoted("S13") + "}},"
                + "\"telemetry\":{\"logLevel\":\"debug\",\"otlpEndpoint\":\"http://127.0.0.1:" + elsewhere.port()
                + "/200\"},\"http\":{\"port\":0}}";
    }

    private String quoted(String name) {
        return JsonWriter.quoted(secret(name));
    }

    private String ascii(String name) {
        return secret(name).replace("é", "e");
    }

    private String secret(String name) {
        return Objects.requireNonNull(secrets.get(name));
    }

    // ---- The test

    @Test
    void fourteen_secrets_appear_in_no_output() throws Exception {
        written.put("list", ask("tools/list", ""));
        String told = call("tell");
        written.put("error frame", call("die"));
        written.put("second error frame", call("die"));
        written.put(
                "unknown tool", ask("tools/call", ",\"name\":\"barred__x\",\"arguments\":{}", "Mcp-Name", "barred__x"));
        eventually(
                "the crash is logged and the servers are shown only with the token",
                () -> errors().contains("crashing") && see("/api/v1/servers").contains("401"));
        lookAround();
        askByCommands(folder.resolve("config.json").toString());
        lookAtSpans();
        written.put("command line", Files.readString(Path.of("/proc/" + gateway.pid() + "/cmdline")));
        gateway.destroy();
        assertThat(gateway.waitFor(60, TimeUnit.SECONDS)).isTrue();
        written.put("log", errors());
        written.put("standard output", Files.readString(folder.resolve("out")));
        written.put("files", files());

        assertThat(told).contains(secret("S6"));
        assertFull();
        assertThat(maxOftenComplained()).isLessThanOrEqualTo(1 + (System.nanoTime() - begun) / 60_000_000_000L);
        written.remove("list");
        written.forEach(
                (where, text) -> assertThat(leaks(text)).as(where + ": " + text).isEmpty());
    }

    private void lookAround() throws IOException {
        for (String path : List.of(
                "/",
                "/metrics",
                "/api/v1/servers",
                "/api/v1/servers/crashing",
                "/api/v1/servers/mute",
                "/api/v1/servers/barred",
                "/api/v1/log",
                "/api/v1/tools",
                "/api/v1/breakers",
                "/api/v1/stats",
                "/api/v1/health")) {
            written.put("GET " + path, see(path));
        }
        written.put("events", events());
    }

    private void askByCommands(String config) throws Exception {
        for (String line : List.of(
                "status",
                "status --json",
                "tools",
                "logs",
                "logs --json",
                "connect mute",
                "restart barred --json",
                "call crashing die",
                "config check --config " + config,
                "doctor --config " + config,
                "doctor --json --config " + config,
                "doctor --fresh --json --timeout 60000 --config " + config)) {
            written.put(line.replace(" --config " + config, ""), command(line.split(" ", -1)));
        }
    }

    private void lookAtSpans() {
        eventually(
                "traces have reached the collector",
                () -> elsewhere.bodies().stream().anyMatch(body -> body.contains("fusebox")));
        written.put(
                "spans",
                elsewhere.bodies().stream()
                        .filter(body -> !body.contains("\"jsonrpc\""))
                        .reduce("", String::concat));
    }

    /// Only a search that can find something finds nothing.
    private void assertFull() {
        assertThat(written.get("log")).contains("crashing", "WARN", "DEBUG");
        assertThat(written.get("error frame")).contains("server_crashed", "argument ***", "it begins ***");
        assertThat(written.get("events")).contains("mcp.server.crashed");
        assertThat(written.get("GET /api/v1/servers")).contains("401", "program");
        assertThat(written.get("logs"))
                .contains("[crashing] raw ***", "[crashing] basic ", "[crashing] wrapped", "[crashing] it begins ***")
                .contains("*** ends it");
        assertThat(written.get("doctor")).contains("✗ gateway: ");
        assertThat(written.get("doctor --fresh --json --timeout 60000"))
                .contains("\"handshake-silent\"", "\"login-required\"", "\"http-5xx\"")
                .contains("\"http-429\"", "\"http-404\"")
                .contains("\"http-redirect\"", "\"connection-refused\"", "\"command-not-found\"", "\"server-invalid\"")
                .contains("\"output-noise\"");
    }

    /// How often the log says what it says most often, from WARN on, however often and on however many ways it
    /// happened.
    private long maxOftenComplained() {
        Map<String, Long> complaints = errors().lines()
                .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                .collect(Collectors.groupingBy(line -> line.split(" ", 2)[1], Collectors.counting()));
        assertThat(complaints.keySet()).anyMatch(line -> line.contains("401"));
        return complaints.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /// Secrets in all their forms, and parts of them.
    private List<String> leaks(String text) {
        List<String> found = new ArrayList<>();
        secrets.forEach(
                (name, secret) -> forms(secret).filter(text::contains).forEach(form -> found.add(name + ": " + form)));
        return found;
    }

    private static Stream<String> forms(String secret) {
        byte[] bytes = secret.getBytes(UTF_8);
        String json = JsonWriter.quoted(secret);
        Stream<String> plain = Stream.of(
                secret,
                URLEncoder.encode(secret, UTF_8),
                json.substring(1, json.length() - 1),
                new String(bytes, ISO_8859_1));
        Stream<String> encoded = Stream.of("", "u", "me")
                .map(before -> Base64.getEncoder().encodeToString((before + secret).getBytes(UTF_8)))
                .map(form -> form.substring(4, form.length() - 4));
        return Stream.concat(plain, encoded)
                .flatMap(form ->
                        IntStream.rangeClosed(0, form.length() - PART).mapToObj(i -> form.substring(i, i + PART)))
                // What all of them begin or end with tells of none.
                .filter(part -> !part.startsWith("plain-") && !part.endsWith("-secret"));
    }

    // ---- Ways out

    private String call(String tool) throws IOException {
        String name = "crashing__" + tool;
        return ask("tools/call", ",\"name\":\"" + name + "\",\"arguments\":{}", "Mcp-Name", name);
    }

    private String ask(String method, String members, String... headers) throws IOException {
        HttpURLConnection post =
                (HttpURLConnection) URI.create(address + "/mcp").toURL().openConnection();
        post.setDoOutput(true);
        post.setReadTimeout(60_000);
        List<String> all = new ArrayList<>(List.of("Content-Type", "application/json", "Mcp-Method", method));
        all.addAll(List.of("Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2026-07-28"));
        all.addAll(List.of(headers));
        for (int i = 0; i < all.size(); i += 2) {
            post.setRequestProperty(all.get(i), all.get(i + 1));
        }
        post.getOutputStream()
                .write(("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{\"_meta\":{"
                                + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                                + "\"io.modelcontextprotocol/clientCapabilities\":{}}"
                                + members + "}}")
                        .getBytes(UTF_8));
        return body(post);
    }

    private static String body(HttpURLConnection connection) throws IOException {
        try (InputStream in =
                connection.getResponseCode() < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private String see(String path) {
        try {
            return body((HttpURLConnection) URI.create(address + path).toURL().openConnection());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// All that have happened so far.
    private String events() throws IOException {
        HttpURLConnection stream = (HttpURLConnection)
                URI.create(address + "/api/v1/events").toURL().openConnection();
        stream.setRequestProperty("Last-Event-ID", "0");
        stream.setReadTimeout(60_000);
        StringBuilder read = new StringBuilder();
        try (InputStream in = stream.getInputStream()) {
            while (read.indexOf("mcp.server.crashed") < 0) {
                byte[] some = new byte[1 << 16];
                int count = in.read(some);
                assertThat(count).isPositive();
                read.append(new String(some, 0, count, UTF_8));
            }
        }
        return read.toString();
    }

    private String command(String... words) throws Exception {
        Process process = launched(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said;
    }

    /// What it has left behind.
    private String files() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder.resolve("home"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(file).append(Files.readString(file, ISO_8859_1));
            }
        }
        return all.toString();
    }
}
