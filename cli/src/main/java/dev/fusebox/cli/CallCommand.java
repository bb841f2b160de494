package dev.fusebox.cli;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.SelfReference;
import dev.fusebox.gateway.cache.SchemaCache;
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

/// The command `call`: one tool, once, through the gateway that runs (by the file that is named, if one is), or
/// through one of its own that ends with it. For one thread; blocks until there is an answer, or for as long as it
/// is told.
final class CallCommand {
    /// Calls a tool of a server by its own name, whatever clients see.
    private static final String OWN_TOOL = "mcp_call";

    /// Codes of errors behind which there is a server that does not work.
    private static final Set<String> DOCTOR_KNOWS = Set.of(
            "breaker_open", "connect_failed", "server_crashed", "auth_required", "http_error", "permanently_failed");

    /// Longer than any server is usually given: its own time is what counts.
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    /// What the gateway may take to say that the time is over, which it says better than we can.
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Platform platform;
    private final InputStream in;

    CallCommand(Platform platform) {
        this(platform, System.in);
    }

    /// @param in that `-` reads
    CallCommand(Platform platform, InputStream in) {
        this.platform = platform;
        this.in = in;
    }

    /// The call itself failed; the message says how.
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
            output.err().println("fusebox: no answer: " + unreachable.getMessage());
            return ExitStatus.FAILED;
        }
    }

    /// Before anything is started.
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
                        platform.withEnvironment(SelfReference.below(platform.environment(), place.file())),
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
                throw new ServeOptions.Problem("no gateway runs, and " + place.file() + " cannot be used: "
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
            output.err().println("fusebox: `" + doctor(words) + "` says what is wrong with " + words.server());
        }
        return ExitStatus.FAILED;
    }

    private static String doctor(CallOptions words) {
        Path config = words.config();
        return config == null
                ? FuseboxCommand.of("doctor", words.server())
                : FuseboxCommand.of("doctor", words.server(), "--config", config.toString());
    }

    /// As JSON; words get their types from the schema of the tool.
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

    /// By the gateway's own tool; where clients see the tools of servers instead, by the name that they see.
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
            throw new Failed(message == null ? "the gateway gave no result" : String.valueOf(message.string()));
        }
        return result;
    }

    private static boolean isUnknown(JsonView result) {
        return errorCode(result).equals("unknown_tool");
    }

    /// Empty if it is no error of the gateway's.
    private static String errorCode(JsonView result) {
        JsonView plain = result.path("_meta", "fusebox/error", "code");
        JsonView code = plain == null ? result.path("structuredContent", "error", "code") : plain;
        return code == null ? "" : Objects.requireNonNullElse(code.string(), "");
    }

    /// Texts as they are; what is nothing to look at is named.
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

    /// A refusal of ours says the same twice, for people and for programs.
    private static List<JsonView> forPeople(JsonView result, List<JsonView> parts) {
        boolean isOurs = result.path("_meta", "fusebox/error") != null;
        return isOurs && parts.size() > 1 ? parts.subList(0, 1) : parts;
    }

    private static String text(JsonView part) {
        String text = part.string("text");
        String data = part.string("data");
        if (text == null && data != null) {
            return "[" + part.string("type") + ", " + part.string("mimeType") + ", " + data.length()
                    + " letters of base64; --json shows them]";
        }
        return text == null ? part.json() : text;
    }
}
