package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The home of a user whose clients share a gateway, with a launcher that starts the application under test. For
/// one thread; closing kills the gateways.
final class SharedHome implements AutoCloseable {
    /// Answers `who` with its process, its folder and the variable TOKEN, `ask` and `sample` with the answer of
    /// its client, `slow` after two seconds, `slower` after six, `late` at once, and asks a moment later.
    /// Records each call of `once`; `held` makes a file beside that record, and answers after twenty seconds.
    static final String SERVER = """
            import json, os, sys, threading, time
            out, waiting, count = threading.Lock(), {}, [0]
            def say(m):
                with out:
                    sys.stdout.write(json.dumps(m) + '\\n'); sys.stdout.flush()
            def ask(method, params):
                count[0] += 1
                key = 'q%d' % count[0]
                waiting[key] = [threading.Event(), None]
                say({'jsonrpc': '2.0', 'id': key, 'method': method, 'params': params})
                waiting[key][0].wait(20)
                return json.dumps(waiting.pop(key)[1])
            def elicit(text):
                schema = {'type': 'object', 'properties': {}}
                return ask('elicitation/create', {'message': text, 'requestedSchema': schema})
            def tool(name, text):
                if name == 'who': return '%d %s %s' % (os.getpid(), os.getcwd(), os.environ.get('TOKEN', ''))
                if name == 'ask': return elicit(text)
                if name == 'sample':
                    message = {'role': 'user', 'content': {'type': 'text', 'text': text}}
                    return ask('sampling/createMessage', {'messages': [message], 'maxTokens': 1})
                if name == 'roots': return ask('roots/list', {})
                if name == 'slow': time.sleep(2)
                if name == 'slower': time.sleep(6)
                if name == 'held':
                    open(os.environ['RECORD'] + '.held', 'w').close()
                    time.sleep(20)
                if name == 'late': threading.Timer(0.3, elicit, ['late ' + text]).start()
                if name == 'once':
                    with open(os.environ['RECORD'], 'a') as record: record.write(text + '\\n')
                return text
            def call(m):
                text = tool(m['params']['name'], m['params'].get('arguments', {}).get('text', ''))
                say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'content': [{'type': 'text', 'text': text}]}})
            NAMES = 'who ask sample roots slow slower late once held echo'.split()
            for line in sys.stdin:
                m = json.loads(line)
                if 'method' not in m:
                    if m.get('id') in waiting:
                        waiting[m['id']][1] = m.get('result', m.get('error')); waiting[m['id']][0].set()
                elif 'id' not in m:
                    if m['method'] == 'notifications/initialized' and os.environ.get('ROOTS'):
                        threading.Thread(target=ask, args=('roots/list', {})).start()
                elif m['method'] == 'initialize':
                    say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'protocolVersion': '2025-06-18',
                        'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}})
                elif m['method'] == 'tools/list':
                    say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'tools': [
                        {'name': n, 'inputSchema': {'type': 'object'}} for n in NAMES]}})
                elif m['method'] == 'tools/call':
                    threading.Thread(target=call, args=(m,)).start()
                else:
                    say({'jsonrpc': '2.0', 'id': m['id'], 'error': {'code': -32601, 'message': 'unknown'}})
            """;

    static final String ABLE = "{\"elicitation\":{},\"sampling\":{},\"roots\":{}}";

    private final Path folder;
    private final Path script;
    private final Map<String, String> servers = new LinkedHashMap<>();
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final List<SharedClient> clients = new ArrayList<>();
    private List<String> starter = List.of();
    private String more = "";

    SharedHome(Path folder) {
        this.folder = folder;
        try {
            this.script = Files.writeString(folder.resolve("server.py"), SERVER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String quoted(List<String> words) {
        return words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    }

    /// Adds the server, with these members beside its command.
    SharedHome server(String name, String members) {
        return entry(name, "{\"command\":\"python3\",\"args\":[\"" + script + "\"]" + members + "}");
    }

    /// Adds a server of another kind.
    SharedHome entry(String name, String json) {
        servers.put(name, json);
        return this;
    }

    /// Sets a variable of the clients that start from now on.
    SharedHome variable(String name, String value) {
        variables.put(name, value);
        return this;
    }

    /// @param members beside the servers, each with a comma in front
    SharedHome with(String members) {
        more = members;
        return this;
    }

    Path config() {
        return folder.resolve("config.json");
    }

    Path run() {
        return folder.resolve("run");
    }

    /// Writes the configuration.
    SharedHome save() {
        String all = servers.entrySet().stream()
                .map(server -> "\"" + server.getKey() + "\":" + server.getValue())
                .collect(Collectors.joining(","));
        try {
            Files.writeString(
                    config(),
                    "{\"mcpServers\":{" + all + "},\"expose\":\"proxy\",\"discovery\":{\"semantic\":\"off\"}" + more
                            + "}");
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    SharedClient client(String name) {
        return client(name, folder, List.of());
    }

    /// A client that chooses a profile.
    SharedClient inProfile(String name, String profile) {
        return client(name, folder, List.of(), "serve", "--share", "auto", "--profile", profile);
    }

    /// A client whose command names the file.
    SharedClient naming(String name) {
        return client(name, folder, List.of(), "serve", "--share", "auto", "--config", config().toString());
    }

    /// A client whose command does not say whether it shares a gateway.
    SharedClient byFile(String name) {
        return client(name, folder, List.of(), "serve");
    }

    /// A client whose command is `serve` with these options.
    SharedClient serve(String name, String... options) {
        return client(
                name,
                folder,
                List.of(),
                Stream.concat(Stream.of("serve"), Stream.of(options)).toArray(String[]::new));
    }

    /// The launcher of a build.
    private Path launcher(List<String> flags) throws IOException {
        Path launcher = Files.createTempFile(folder, "fusebox", ".sh");
        Files.writeString(launcher, "#!/bin/sh\nexec " + quoted(Launched.with(flags)) + " \"$@\"\n");
        return Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// @param flags of the JVMs of its connector and of the gateway that this starts
    SharedClient client(String name, Path in, List<String> flags) {
        return client(name, in, flags, "serve", "--share", "auto");
    }

    /// From now on, clients are started by this command, to which their own is appended.
    SharedHome startingWith(List<String> command) {
        starter = command;
        return this;
    }

    private SharedClient client(String name, Path in, List<String> flags, String... words) {
        try {
            Stream<String> connector = Stream.of("-Dfusebox.launcher=" + launcher(flags), "-Dfusebox.connector=true");
            List<String> own = Stream.concat(connector, flags.stream()).toList();
            List<String> command = Stream.concat(starter.stream(), Launched.with(own, words).stream())
                    .toList();
            Path errors = Files.createTempFile(folder, name, ".err");
            ProcessBuilder builder =
                    new ProcessBuilder(command).directory(in.toFile()).redirectError(errors.toFile());
            builder.environment().put("FUSEBOX_HOME", folder.toString());
            builder.environment().putAll(variables);
            SharedClient client = new SharedClient(name, builder.start(), errors);
            clients.add(client);
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A running `serve` over HTTP. Closing kills it.
    record HttpGateway(Process process, URI uri) implements AutoCloseable {
        long pid() {
            return process.pid();
        }

        /// The text of the result of a tool, called by a modern client.
        String call(String tool) throws IOException {
            String meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientCapabilities\":{}}";
            String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                    + "\",\"arguments\":{}," + meta + "}}";
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            connection.setRequestProperty("Accept", "application/json, text/event-stream");
            connection.setRequestProperty("MCP-Protocol-Version", "2026-07-28");
            connection.setRequestProperty("Mcp-Method", "tools/call");
            connection.setRequestProperty("Mcp-Name", tool);
            connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
            String answer = new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return SharedClient.text(JsonView.of(answer.substring(answer.indexOf('{'))));
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    HttpGateway overHttp() throws IOException {
        Path errors = Files.createTempFile(folder, "http", ".err");
        List<String> command = Launched.command(
                "serve", "--share", "auto", "--transport", "http", "--port", "0", "--config", config().toString());
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectError(errors.toFile());
        builder.environment().put("FUSEBOX_HOME", folder.toString());
        Process process = builder.start();
        Pattern serving = Pattern.compile("serving on (http://\\S+)");
        List<URI> found = new ArrayList<>();
        eventually("it serves", Duration.ofSeconds(30), () -> {
            Matcher matcher = serving.matcher(Disk.read(errors));
            return matcher.find() && found.add(URI.create(matcher.group(1)));
        });
        return new HttpGateway(process, found.getFirst());
    }

    /// Whether the lists of a server have been stored.
    boolean hasCache() {
        try (Stream<Path> files = Files.walk(folder.resolve("cache"))) {
            return files.anyMatch(file -> file.getFileName().toString().endsWith(".json"));
        } catch (IOException none) {
            return false;
        }
    }

    /// The process ids of the shared gateways that run.
    List<Long> gateways() {
        try (Stream<Path> files = Files.exists(run()) ? Files.list(run()) : Stream.empty()) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\d+\\.sock"))
                    .map(name -> Long.parseLong(name.substring(0, name.indexOf('.'))))
                    .filter(pid -> isOfHome(pid) && isRunning(pid))
                    .filter(pid -> clients.stream().noneMatch(each -> each.pid() == pid))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The process id of a gateway in a container is one of its namespace, and may be that of another process here.
    private boolean isOfHome(long pid) {
        try {
            String command = Files.readString(Path.of("/proc", "" + pid, "cmdline"));
            return command.isEmpty() ? threads(pid) > 1 : command.contains(folder.toString());
        } catch (IOException ended) {
            return false;
        }
    }

    /// A process that has ended is a zombie until its parent reaps it. After a kill it keeps its sockets open until
    /// its last thread has ended, and may be a zombie before that.
    static boolean isRunning(long pid) {
        return Platform.system().processes().list().stream()
                .anyMatch(process -> process.pid() == pid && (!process.zombie() || threads(pid) > 1));
    }

    private static int threads(long pid) {
        String[] threads = new File("/proc/" + pid + "/task").list();
        return threads == null ? 0 : threads.length;
    }

    long gateway() {
        eventually("there is one gateway", () -> gateways().size() == 1);
        return gateways().getFirst();
    }

    /// A build of the application that is so old.
    String build(String name, long builtMs) {
        try {
            Path app = Files.createDirectories(folder.resolve("builds").resolve(name));
            Path marker = Files.writeString(app.resolve("built"), "");
            Files.setLastModifiedTime(marker, FileTime.fromMillis(builtMs));
            return "-Dfusebox.app=" + app;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void signal(long pid, String signal) {
        if (!Tried.succeeds(List.of("kill", "-" + signal, "" + pid))) {
            throw new IllegalStateException("no process " + pid);
        }
    }

    @Override
    public void close() {
        clients.forEach(SharedClient::close);
        for (long pid : gateways()) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
        eventually(
                "no gateway is left", Duration.ofSeconds(10), () -> gateways().isEmpty());
    }
}
