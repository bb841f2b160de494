package dev.fusebox.cli;

import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.Overrides;
import dev.fusebox.gateway.config.Reading;
import dev.fusebox.gateway.config.SelfReference;
import dev.fusebox.gateway.config.Spelling;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The command `call`: one tool, once, through the gateway that runs (by the file that is named, if one is), or through
/// one of its own that ends with it. For one thread; blocks until there is an answer, or for as long as it is told.
final class Call {
    /// Calls a tool of a server by its own name, whatever clients see.
    private static final String OWN_TOOL = "mcp_call";

    /// Longer than any server is usually given: its own time is what counts.
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /// What the gateway may take to say that the time is over, which it says better than we can.
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final World world;

    Call(World world) {
        this.world = world;
    }

    /// The call itself failed; the message says how.
    private static final class Failed extends Exception {
        private static final long serialVersionUID = 1;

        Failed(String message) {
            super(message);
        }
    }

    Exit run(List<String> arguments, Screen screen) {
        try {
            CallWords words = CallWords.parse(arguments);
            RunningGateways found = RunningGateways.find(world);
            RunningGateways running = words.gateway() == null ? found.by(words.config()) : found;
            return running.all().isEmpty() && words.gateway() == null
                    ? alone(words, screen)
                    : made(words, running.toChange(words.gateway()).client(), screen);
        } catch (ServeOptions.Problem problem) {
            screen.err().println("fusebox: " + problem.getMessage());
            return Exit.USAGE;
        } catch (Failed failed) {
            screen.err().println("fusebox: " + ServerTable.plain(failed.getMessage()));
            return Exit.FAILED;
        } catch (IOException unreachable) {
            screen.err().println("fusebox: no answer: " + unreachable.getMessage());
            return Exit.FAILED;
        }
    }

    // ---- Without a gateway

    private Exit alone(CallWords words, Screen screen) throws ServeOptions.Problem, IOException, Failed {
        ConfigPlace place = ConfigPlace.find(words.config(), world).told(screen);
        Configuration configuration = configuration(place);
        Path folder = Files.createTempDirectory("fusebox");
        try (SchemaCache cache = Cache.ofOrNull(world, place.file());
                Backend backend = Backend.open(
                        SelfReference.below(world, place.file()),
                        configuration,
                        Manner.TO_MANY,
                        Remembered.listsIn(cache))) {
            World apart = world.withEnvironment(environment(folder));
            try (Desk desk = Desk.open(apart, backend.admin(), backend.service())) {
                Exit exit =
                        made(words, RunningGateways.find(apart).toChange(null).client(), screen);
                desk.drain();
                return exit;
            }
        } finally {
            Disposal.of(folder);
        }
    }

    private Map<String, String> environment(Path folder) {
        Map<String, String> environment = new HashMap<>(world.environment());
        environment.put("FUSEBOX_HOME", folder.toString());
        return environment;
    }

    private Configuration configuration(ConfigPlace place) throws ServeOptions.Problem {
        return switch (place.read(world, Overrides.NONE.with("--expose", "meta"))) {
            case Reading.Refused refused ->
                throw new ServeOptions.Problem("no gateway runs, and " + place.file() + " cannot be used: "
                        + refused.problems().getFirst());
            case Reading.Usable usable -> usable.configuration();
        };
    }

    // ---- Through a gateway

    private Exit made(CallWords words, OwnerClient client, Screen screen) throws IOException, Failed {
        JsonView result;
        try (Progress _ = Progress.of(world, screen, "calling " + words.server() + "/" + words.tool())) {
            result = answered(words, client);
        }
        JsonView isError = result.member("isError");
        print(result, words, screen);
        return isError != null && isError.isTrue() ? Exit.FAILED : Exit.DONE;
    }

    /// By the gateway's own tool; where clients see the tools of servers instead, by the name that they see.
    private static JsonView answered(CallWords words, OwnerClient client) throws IOException, Failed {
        Duration limit = words.limit();
        JsonWriter own = new JsonWriter().beginObject().name("server").string(words.server());
        own.name("tool").string(words.tool()).name("args").raw(words.arguments());
        if (limit != null) {
            own.name("timeoutMs").number(limit.toMillis());
        }
        OwnerClient patient = client.within(limit == null ? PATIENCE : limit.plus(GRACE));
        JsonView result = result(patient, OWN_TOOL, own.endObject().toString());
        return isUnknown(result)
                ? result(client.within(limit == null ? PATIENCE : limit), shownAs(words, client), words.arguments())
                : result;
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
        JsonView plain = result.path("_meta", "fusebox/error", "code");
        JsonView code = plain == null ? result.path("structuredContent", "error", "code") : plain;
        return code != null && "unknown_tool".equals(code.string());
    }

    /// The name under which clients see the tool; the server is connected to if its tools are not known.
    private static String shownAs(CallWords words, OwnerClient client) throws IOException, Failed {
        String path = "servers/" + OwnerClient.encoded(words.server());
        JsonView known = good(client.get(path));
        Optional<String> found = find(words.tool(), known);
        if (found.isEmpty()) {
            good(client.post(path + "/connect", ""));
            known = good(client.get(path));
            found = find(words.tool(), known);
        }
        List<String> tools = tools(known).stream()
                .map(tool -> String.valueOf(tool.string("name")))
                .toList();
        return found.orElseThrow(() -> new Failed(words.server() + " has no tool \"" + words.tool() + "\""
                + Spelling.nearest(words.tool(), tools)
                        .map(near -> "; did you mean \"" + near + "\"?")
                        .orElse("; it has " + (tools.isEmpty() ? "none" : String.join(", ", tools)))));
    }

    private static JsonView good(OwnerClient.Answer answer) throws Failed {
        if (!answer.isGood()) {
            throw new Failed(answer.problem());
        }
        return answer.body();
    }

    private static Optional<String> find(String tool, JsonView server) {
        return tools(server).stream()
                .filter(each -> tool.equals(each.string("name")))
                .map(each -> String.valueOf(each.string("shownAs")))
                .findFirst();
    }

    private static List<JsonView> tools(JsonView server) {
        JsonView tools = server.member("tools");
        return tools == null ? List.of() : tools.elements();
    }

    /// Texts as they are; what is nothing to look at is named.
    private static void print(JsonView result, CallWords words, Screen screen) {
        JsonView content = result.member("content");
        if (words.asJson() || content == null || !content.isArray()) {
            screen.out().println(result.json());
            return;
        }
        for (JsonView part : forPeople(result, content.elements())) {
            text(part).lines().map(ServerTable::plain).forEach(screen.out()::println);
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
