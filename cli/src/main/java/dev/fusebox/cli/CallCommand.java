package dev.fusebox.cli;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.SelfReference;
import dev.fusebox.gateway.AdminSocket;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.GatewayException;
import dev.fusebox.gateway.GatewayHome;
import dev.fusebox.gateway.PersistentState;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.catalog.ServerLabel;
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

/// The command `call`, which calls one tool once: through the running gateway (the one that uses the named file,
/// if one is named), or through a gateway of its own that ends with the command. For one thread; blocks until the
/// call has ended or timed out.
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
            CallOptions options = read(CallOptions.parse(arguments));
            RunningGateways found = RunningGateways.find(platform);
            RunningGateways running = options.gateway() == null ? found.by(options.config()) : found;
            return running.all().isEmpty() && options.gateway() == null
                    ? alone(options, output)
                    : call(
                            options,
                            running.toChange(options.gateway())
                                    .requireResponsive()
                                    .client(),
                            output);
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (Failed | ToolLookup.Missing failed) {
            output.err().println("fusebox: " + OutputText.plain(failed.getMessage()));
            return ExitStatus.FAILED;
        } catch (IOException unreachable) {
            output.err().println("fusebox: call failed: " + unreachable.getMessage());
            return ExitStatus.FAILED;
        }
    }

    /// Reads standard input before anything is started.
    private CallOptions read(CallOptions options) throws ServeOptions.Problem, IOException {
        return options.arguments() instanceof GivenArguments.StandardInput
                ? options.with(new GivenArguments.Json(GivenArguments.read(in)))
                : options;
    }

    // ---- Without a gateway

    private ExitStatus alone(CallOptions options, CommandOutput output)
            throws ServeOptions.Problem, IOException, Failed, ToolLookup.Missing {
        if (options.isShown() && !ToolName.mayBeExposed(options.tool())) {
            throw CallOptions.withoutTool();
        }
        ServerLabel label = ServerLabel.of(options.server());
        if (label.isFurther()) {
            throw new ServeOptions.Problem("no gateway is running; " + ServerLabelText.of(label));
        }
        ConfigPlace place = ConfigPlace.find(options.config(), platform).printed(output);
        FuseboxCommand.uses(place.file());
        Configuration configuration = configuration(place);
        Path folder = Files.createTempDirectory("fusebox");
        try (SchemaCache cache = CacheCommand.ofOrNull(platform, place.file());
                GatewayCore gateway = GatewayCore.open(
                        platform.withEnvironment(SelfReference.below(platform.environment(), place.file())),
                        configuration,
                        CoreOptions.of(ServeMode.TO_MANY)
                                .with(PersistentState.listsIn(cache).withLogins(GatewayHome.loginFolder(platform)))
                                .with(WorkerLauncher::program))) {
            Platform apart = platform.withEnvironment(environment(folder));
            try (AdminSocket adminSocket = AdminSocket.open(apart, gateway)) {
                ExitStatus exitStatus =
                        call(options, RunningGateways.find(apart).toChange(null).client(), output);
                adminSocket.drain();
                return exitStatus;
            }
        } catch (GatewayException unusable) {
            throw new ServeOptions.Problem(String.valueOf(unusable.getMessage()));
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

    private ExitStatus call(CallOptions typed, OwnerClient client, CommandOutput output)
            throws ServeOptions.Problem, IOException, Failed, ToolLookup.Missing {
        CallOptions options = typed.isShown() ? typed.with(ToolName.ofShown(typed.tool(), client)) : typed;
        JsonView result;
        try (Progress _ = Progress.of(platform, output, "calling " + options.server() + "/" + options.tool())) {
            result = callTool(options, arguments(options, client), client);
        }
        JsonView isError = result.member("isError");
        print(result, options, output);
        if (isError == null || !isError.isTrue()) {
            return ExitStatus.DONE;
        }
        if (DOCTOR_KNOWS.contains(errorCode(result))) {
            output.err().println("fusebox: `" + doctor(options) + "` diagnoses " + options.server());
        }
        return ExitStatus.FAILED;
    }

    private static String doctor(CallOptions options) {
        Path config = options.config();
        String server = ServerLabel.of(options.server()).server();
        return config == null
                ? FuseboxCommand.of("doctor", server)
                : FuseboxCommand.of("doctor", server, "--config", config.toString());
    }

    /// The arguments as JSON; KEY=VALUE pairs get their types from the tool's schema.
    private static String arguments(CallOptions options, OwnerClient client)
            throws ServeOptions.Problem, IOException, ToolLookup.Missing {
        return switch (options.arguments()) {
            case GivenArguments.Json(String object) -> object;
            case GivenArguments.Pairs(List<GivenArguments.Pair> pairs) -> {
                JsonView tool = new ToolLookup(client, options.server(), options.tool()).inFull();
                String name = options.server() + "/" + options.tool();
                yield new TypedArguments(name, tool.path("definition", "inputSchema")).of(pairs);
            }
            case GivenArguments.StandardInput _ -> throw new IllegalStateException("read before");
        };
    }

    /// Calls through the gateway's own tool, or by the exposed name if the gateway exposes only the servers'
    /// tools.
    private static JsonView callTool(CallOptions options, String arguments, OwnerClient ofGateway)
            throws IOException, Failed, ToolLookup.Missing {
        Duration limit = options.limit();
        ServerLabel label = ServerLabel.of(options.server());
        if (label.isFurther()) {
            requireKnown(label, ofGateway);
        }
        OwnerClient client = label.isFurther() ? ofGateway.of(label) : ofGateway;
        JsonWriter own = new JsonWriter().beginObject().name("server").string(label.server());
        own.name("tool").string(options.tool()).name("args").raw(arguments);
        if (limit != null) {
            own.name("timeoutMs").number(limit.toMillis());
        }
        OwnerClient withDeadline = client.within(limit == null ? DEADLINE : limit.plus(GRACE));
        JsonView result = result(withDeadline, OWN_TOOL, own.endObject().toString());
        if (!isUnknown(result)) {
            return result;
        }
        String shown = new ToolLookup(client, options.server(), options.tool()).shownAs();
        return result(client.within(limit == null ? DEADLINE : limit), shown, arguments);
    }

    private static void requireKnown(ServerLabel label, OwnerClient client) throws IOException, Failed {
        OwnerClient.Answer answer = client.get("servers/" + OwnerClient.encoded(label.toString()));
        if (!answer.isGood()) {
            throw new Failed(answer.problem() + "; " + ServerLabelText.of(label));
        }
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
    private static void print(JsonView result, CallOptions options, CommandOutput output) {
        JsonView content = result.member("content");
        if (options.asJson() || content == null || !content.isArray()) {
            output.out().println(result.json());
            return;
        }
        for (JsonView part : forPeople(result, content.elements())) {
            text(part).lines().map(OutputText::plain).forEach(output.out()::println);
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
