package dev.fusebox.cli;

import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.Overrides;
import dev.fusebox.gateway.config.ReadResult;
import dev.fusebox.gateway.config.SelfReference;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// The command `call`, which calls one tool once: through the running gateway (the one that uses the named file, if one
/// is named), or through a gateway of its own that ends with the command. For one thread; blocks until the call has
/// ended or timed out.
final class CallCommand {
    /// The gateway's tool that calls any server's tool by its original name.
    private static final String OWN_TOOL = "mcp_call";

    /// Error codes that indicate a broken server.
    private static final Set<String> DOCTOR_KNOWS = Set.of(
            "breaker_open", "connect_failed", "server_crashed", "auth_required", "http_error", "permanently_failed");

    /// Longer than the usual call timeout, which decides.
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    /// Added to the timeout, so that the gateway's own timeout error arrives first.
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Platform platform;
    private final InputStream in;

    CallCommand(Platform platform) {
        this(platform, System.in);
    }

    /// @param in that the argument `-` reads
    CallCommand(Platform platform, InputStream in) {
        this.platform = platform;
        this.in = in;
    }

    /// The failure of the call itself.
    private static final class Failed extends Exception {
        private static final long serialVersionUID = 1;

        Failed(String message) {
            super(message);
        }
    }

    ExitStatus run(List<String> arguments, CommandOutput output) {
        try {
            CallOptions words = read(CallOptions.parse(arguments));
            RunningGateways found = RunningGateways.find(platform);
            RunningGateways running = words.gateway() == null ? found.by(words.config()) : found;
            return running.all().isEmpty() && words.gateway() == null
                    ? alone(words, output)
                    : made(words, running.toChange(words.gateway()).answering().client(), output);
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (Failed | ToolLookup.Missing failed) {
            output.err().println("fusebox: " + ServerTable.plain(failed.getMessage()));
            return ExitStatus.FAILED;
        } catch (IOException unreachable) {
            output.err().println("fusebox: call failed: " + unreachable.getMessage());
            return ExitStatus.FAILED;
        }
    }

    /// Reads standard input before anything is started.
    private CallOptions read(CallOptions words) throws ServeOptions.Problem, IOException {
        return words.arguments() instanceof GivenArguments.StandardInput
                ? words.with(new GivenArguments.Json(GivenArguments.read(in)))
                : words;
    }

    // ---- Without a gateway

    private ExitStatus alone(CallOptions words, CommandOutput output)
            throws ServeOptions.Problem, IOException, Failed, ToolLookup.Missing {
        if (words.isShown() && !ToolName.looksShown(words.tool())) {
            throw CallOptions.withoutTool();
        }
        ConfigPlace place = ConfigPlace.find(words.config(), platform).told(output);
        FuseboxCommand.uses(place.file());
        Configuration configuration = configuration(place);
        Path folder = Files.createTempDirectory("fusebox");
        try (SchemaCache cache = CacheCommand.ofOrNull(platform, place.file());
                Gateway gateway = Gateway.open(
                        SelfReference.below(platform, place.file()),
                        configuration,
                        ServeMode.TO_MANY,
                        PersistentState.listsIn(cache))) {
            Platform apart = platform.withEnvironment(environment(folder));
            try (AdminSocket adminSocket = AdminSocket.open(apart, gateway.adminApi(), gateway.service())) {
                ExitStatus exitStatus =
                        made(words, RunningGateways.find(apart).toChange(null).client(), output);
                adminSocket.drain();
                return exitStatus;
            }
        } finally {
            Cleanup.of(folder);
        }
    }

    private Map<String, String> environment(Path folder) {
        Map<String, String> environment = new HashMap<>(platform.environment());
        environment.put("FUSEBOX_HOME", folder.toString());
        return environment;
    }

    private Configuration configuration(ConfigPlace place) throws ServeOptions.Problem {
        return switch (place.read(platform, Overrides.NONE.with("--expose", "meta"))) {
            case ReadResult.Refused refused ->
                throw new ServeOptions.Problem("no gateway is running, and " + place.file() + " cannot be used: "
                        + refused.problems().getFirst());
            case ReadResult.Usable usable -> usable.configuration();
        };
    }

    // ---- Through a gateway

    private ExitStatus made(CallOptions typed, OwnerClient client, CommandOutput output)
            throws ServeOptions.Problem, IOException, Failed, ToolLookup.Missing {
        CallOptions words = typed.isShown() ? typed.with(ToolName.ofShown(typed.tool(), client)) : typed;
        JsonView result;
        try (Progress _ = Progress.of(platform, output, "calling " + words.server() + "/" + words.tool())) {
            result = answered(words, arguments(words, client), client);
        }
        JsonView isError = result.member("isError");
        print(result, words, output);
        if (isError == null || !isError.isTrue()) {
            return ExitStatus.DONE;
        }
        if (DOCTOR_KNOWS.contains(errorCode(result))) {
            output.err().println("fusebox: `" + doctor(words) + "` diagnoses " + words.server());
        }
        return ExitStatus.FAILED;
    }

    private static String doctor(CallOptions words) {
        Path config = words.config();
        return config == null
                ? FuseboxCommand.of("doctor", words.server())
                : FuseboxCommand.of("doctor", words.server(), "--config", config.toString());
    }

    /// The arguments as JSON; KEY=VALUE pairs get their types from the tool's schema.
    private static String arguments(CallOptions words, OwnerClient client)
            throws ServeOptions.Problem, IOException, ToolLookup.Missing {
        return switch (words.arguments()) {
            case GivenArguments.Json(String object) -> object;
            case GivenArguments.Pairs(List<GivenArguments.Pair> pairs) -> {
                JsonView tool = new ToolLookup(client, words.server(), words.tool()).inFull();
                String name = words.server() + "/" + words.tool();
                yield new TypedArguments(name, tool.path("definition", "inputSchema")).of(pairs);
            }
            case GivenArguments.StandardInput _ -> throw new IllegalStateException("read before");
        };
    }

    /// Calls through the gateway's own tool, or by the exposed name if the gateway exposes only the servers' tools.
    private static JsonView answered(CallOptions words, String arguments, OwnerClient client)
            throws IOException, Failed, ToolLookup.Missing {
        Duration limit = words.limit();
        JsonWriter own = new JsonWriter().beginObject().name("server").string(words.server());
        own.name("tool").string(words.tool()).name("args").raw(arguments);
        if (limit != null) {
            own.name("timeoutMs").number(limit.toMillis());
        }
        OwnerClient patient = client.within(limit == null ? DEADLINE : limit.plus(GRACE));
        JsonView result = result(patient, OWN_TOOL, own.endObject().toString());
        if (!isUnknown(result)) {
            return result;
        }
        String shown = new ToolLookup(client, words.server(), words.tool()).shownAs();
        return result(client.within(limit == null ? DEADLINE : limit), shown, arguments);
    }

    private static JsonView result(OwnerClient client, String name, String arguments) throws IOException, Failed {
        String params = ",\"name\":" + JsonWriter.quoted(name) + ",\"arguments\":" + arguments;
        JsonView answer = client.mcp("tools/call", name, params).body();
        JsonView result = answer.member("result");
        if (result == null) {
            JsonView message = answer.path("error", "message");
            throw new Failed(
                    message == null
                            ? "the gateway returned neither a result nor an error"
                            : String.valueOf(message.string()));
        }
        return result;
    }

    private static boolean isUnknown(JsonView result) {
        return errorCode(result).equals("unknown_tool");
    }

    /// The gateway's error code; empty if the result is not an error of the gateway.
    private static String errorCode(JsonView result) {
        JsonView plain = result.path("_meta", "fusebox/error", "code");
        JsonView code = plain == null ? result.path("structuredContent", "error", "code") : plain;
        return code == null ? "" : Objects.requireNonNullElse(code.string(), "");
    }

    /// Prints texts as they are; binary content is only described.
    private static void print(JsonView result, CallOptions words, CommandOutput output) {
        JsonView content = result.member("content");
        if (words.asJson() || content == null || !content.isArray()) {
            output.out().println(result.json());
            return;
        }
        for (JsonView part : forPeople(result, content.elements())) {
            text(part).lines().map(ServerTable::plain).forEach(output.out()::println);
        }
    }

    /// An error of the gateway contains the same content twice, as text and as JSON.
    private static List<JsonView> forPeople(JsonView result, List<JsonView> parts) {
        boolean isOurs = result.path("_meta", "fusebox/error") != null;
        return isOurs && parts.size() > 1 ? parts.subList(0, 1) : parts;
    }

    private static String text(JsonView part) {
        String text = part.string("text");
        String data = part.string("data");
        if (text == null && data != null) {
            return "[" + part.string("type") + ", " + part.string("mimeType") + ", " + data.length()
                    + " base64 characters; use --json to print them]";
        }
        return text == null ? part.json() : text;
    }
}
