package dev.fusebox.interop;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Official clients that share a gateway, each through its connector: they see what a client sees that has a
/// gateway of its own, and each gets the questions that belong to its own calls.
///
/// Over five seconds: connectors, gateways and servers are processes, and the first test of the module waits for
/// npm.
@Tag("interop")
@Timeout(900)
class SharedGatewayClientTest {
    private static final String PREFIX = "peer__";
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String ABLE = "{\"sampling\":{},\"elicitation\":{},\"roots\":{\"listChanged\":true}}";
    private static final int ROUNDS = 20;

    @TempDir
    private Path folder = Path.of("");

    private SharedLauncher launcher(Map<String, Served> servers) {
        return new SharedLauncher(folder.resolve("home"), Configuration.of(folder, servers));
    }

    private static <T> CompletableFuture<T> begun(Supplier<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(action.get());
            } catch (RuntimeException | Error failed) {
                result.completeExceptionally(failed);
            }
        });
        return result;
    }

    // ---- The same as with a gateway of its own

    /// @param without parts of the script, with commas between
    private static JsonView journey(Target target, String without) {
        return Scripts.run("journey.mjs", target, PREFIX, without);
    }

    /// How often the client is asked in `manyQuestions` is left out: a question that is open when the call ends
    /// that has forwarded it is asked again, with or without a shared gateway.
    private static void assertSame(JsonView through, JsonView alone) {
        alone.forEachMember((part, there) -> {
            if (through.member(part) != null) {
                String member = part.equals("manyQuestions") ? "answers" : "";
                assertThat(json(Scripts.part(through, part), member)).as(part).isEqualTo(json(there, member));
            }
        });
        assertThat(Scripts.part(through, "sampling").json()).contains("LLM response: heard: [peer] What is new?");
        assertThat(Scripts.part(through, "roots").json()).contains("file:///somewhere");
        assertThat(Scripts.part(through, "cancellation").json()).contains("\"cancelled\":\"1\"");
        assertThat(Scripts.part(through, "subscription").json()).contains("notifications/resources/updated");
        assertThat(Scripts.part(Scripts.part(through, "logging"), "loud").json())
                .contains("notifications/message");
    }

    private static String json(JsonView seen, String member) {
        return (member.isEmpty() ? seen : Scripts.part(seen, member)).json();
    }

    /// Three at once have a process each, since the server asks. Then its resources are watched in the process of
    /// the first client only, and a change of its lists is reported to the other clients as well.
    @Test
    void every_part_of_script_is_same_for_one_client_and_all_but_changes_of_lists_for_three_at_once() {
        try (SharedLauncher launcher = launcher(Map.of("peer", Served.fixture()))) {
            JsonView alone = journey(launcher.alone(), "");
            JsonView one = journey(launcher.client(), "");
            assertSame(one, alone);
            assertThat(members(one)).isEqualTo(members(alone)).hasSizeGreaterThan(30);

            List<CompletableFuture<JsonView>> together = Stream.generate(
                            () -> begun(() -> journey(launcher.client(), "change")))
                    .limit(3)
                    .toList();
            together.forEach(each -> assertSame(each.join(), alone));
            assertThat(launcher.gateways()).hasSize(1);
        }
    }

    private static Set<String> members(JsonView seen) {
        Set<String> names = new TreeSet<>();
        seen.forEachMember((name, part) -> names.add(name));
        return names;
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void every_client_mode_works_with_servers_of_each_era(Era era) {
        try (SharedLauncher launcher = launcher(Map.of("peer", Served.fixture(era)))) {
            EraClientTest.assertWhole(Scripts.run("eras.mjs", launcher.client(), PREFIX));
            assertThat(launcher.gateways()).hasSize(1);
        }
    }

    // ---- Several clients at once

    /// @param more its other members
    private String spec(String name, String more) {
        JsonWriter spec = new JsonWriter().beginObject().name("name").string(name);
        spec.name("folder").string(folder.toString());
        String text = spec.endObject().toString();
        return text.substring(0, text.length() - 1) + "," + more + "}";
    }

    private Path helloOf(int place) {
        return folder.resolve(place + ".hello");
    }

    private void awaitHello(int place) {
        eventually("client " + place + " has said hello", LIMIT, () -> Files.exists(helloOf(place)));
    }

    /// What one of three clients was asked and answered.
    ///
    /// @param first texts of the first call that is asked something, until one has the answer
    record Seen(String name, List<String> first, List<String> texts, List<String> asked) {
        static Seen of(String name, JsonView seen) {
            return new Seen(
                    name,
                    strings(Scripts.part(seen, "first")),
                    Scripts.part(seen, "rounds").elements().stream()
                            .flatMap(round -> strings(round).stream())
                            .toList(),
                    strings(Scripts.part(seen, "asked")));
        }

        private static List<String> strings(JsonView array) {
            return array.elements().stream()
                    .map(each -> Objects.requireNonNull(each.string()))
                    .toList();
        }

        void assertOwn() {
            assertThat(first).as(name + " is refused once at most").hasSizeLessThanOrEqualTo(2);
            assertThat(first.getLast()).isEqualTo("LLM response: " + name + " heard [peer] " + name + " first");
            List<String> expected = new ArrayList<>();
            List<String> questions = new ArrayList<>(List.of("[peer] " + name + " first"));
            for (int round = 0; round < ROUNDS; round++) {
                String question = "[peer] " + name + " " + round;
                questions.add(question);
                expected.add("LLM response: " + name + " heard " + question);
                expected.add("Elicitation completed: action=accept, content={\"response\":\"" + name + " read "
                        + question + "\"}");
                expected.add("{\"roots\":[{\"uri\":\"file:///" + name + "\"}]}");
            }
            assertThat(texts).isEqualTo(expected);
            // A question that is open when the call ends that has forwarded it is asked again.
            assertThat(Set.copyOf(asked)).isEqualTo(Set.copyOf(questions));
        }
    }

    private Seen script(String name, String era, int place, SharedLauncher launcher) {
        String more = "\"era\":\"" + era + "\",\"capabilities\":" + ABLE + ",\"root\":\"file:///" + name
                + "\",\"place\":" + place + ",\"count\":3,\"rounds\":" + ROUNDS + ",\"calls\":[]";
        return Seen.of(name, Scripts.run("named-client.mjs", launcher.client(), spec(name, more)));
    }

    private Seen java(String name, int place, SharedLauncher launcher) {
        awaitHello(place - 1);
        try (NamedJavaClient client = new NamedJavaClient(name, launcher)) {
            assertThat(client.hello()).contains("peer__echo");
            assertThat(client.said("peer__echo", Map.of("text", name))).isEqualTo(name);
            Files.createFile(helloOf(place));
            List<String> first = new ArrayList<>();
            do {
                first.add(client.said("peer__test_sampling", Map.of("prompt", name + " first")));
            } while (!first.getLast().contains("heard") && first.size() < 5);
            List<String> texts = IntStream.range(0, ROUNDS)
                    .boxed()
                    .flatMap(round -> Stream.of(
                            client.said("peer__test_sampling", Map.of("prompt", name + " " + round)),
                            client.said("peer__test_elicitation", Map.of("message", name + " " + round)),
                            client.said("peer__roots", Map.of())))
                    .toList();
            assertThat(launcher.gateways()).hasSize(1);
            return new Seen(name, first, texts, client.asked());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "BOTH"})
    void every_question_reaches_the_client_whose_call_it_belongs_to(Era era) {
        try (SharedLauncher launcher = launcher(Map.of("peer", Served.fixture(era)))) {
            List<CompletableFuture<Seen>> clients = List.of(
                    begun(() -> script("ada", "session", 0, launcher)),
                    begun(() -> script("ben", "modern", 1, launcher)),
                    begun(() -> java("eve", 2, launcher)));
            clients.forEach(each -> each.join().assertOwn());
            assertThat(launcher.gateways()).hasSize(1);
        }
    }

    // ---- Official servers that ask outside of calls, and whose lists depend on their client

    /// What clients see that say hello one after the other.
    ///
    /// @param clients for each the members of its specification beside its name and place
    private List<JsonView> seen(Supplier<Target> target, Map<String, String> clients) {
        List<CompletableFuture<JsonView>> all = new ArrayList<>();
        clients.forEach((name, more) -> {
            String turn = "\"place\":" + all.size() + ",\"count\":" + clients.size() + ",\"rounds\":0,";
            all.add(begun(() -> Scripts.run("named-client.mjs", target.get(), spec(name, turn + more))));
        });
        return all.stream().map(CompletableFuture::join).toList();
    }

    private static String client(String era, String capabilities, Path root, String calls) {
        return "\"era\":\"" + era + "\",\"capabilities\":" + capabilities + ",\"root\":\"" + root.toUri()
                + "\",\"calls\":[" + calls + "]";
    }

    /// The server asks for the roots of its client after the handshake, and uses their folders from then on.
    @Test
    void filesystem_server_shows_each_client_the_folders_of_its_own_roots() throws IOException {
        Path common = Files.createDirectory(folder.resolve("common")).toRealPath();
        Map<String, String> clients = new LinkedHashMap<>();
        for (String name : List.of("ada", "ben", "eve")) {
            Path own = Files.createDirectory(folder.resolve(name)).toRealPath();
            String until = name.equals("eve") ? common.toString() : own.toString();
            String call = "{\"name\":\"files__list_allowed_directories\",\"arguments\":{},\"until\":\"" + until + "\"}";
            clients.put(name, client("session", name.equals("eve") ? "{}" : ABLE, own, call));
        }
        Served files = Served.ofPackage("@modelcontextprotocol/server-filesystem", common.toString());
        try (SharedLauncher launcher = launcher(Map.of("files", files))) {
            List<String> folders = seen(launcher::client, clients).stream()
                    .map(each -> Scripts.part(each, "calls").json())
                    .toList();
            assertThat(folders.get(0)).contains("/ada").doesNotContain("/ben", "/common");
            assertThat(folders.get(1)).contains("/ben").doesNotContain("/ada", "/common");
            assertThat(folders.get(2)).contains("/common").doesNotContain("/ada", "/ben");
            assertThat(launcher.gateways()).hasSize(1);
        }
    }

    @Test
    void clients_see_the_tools_that_the_server_has_for_their_capabilities() throws IOException {
        Map<String, String> clients = new LinkedHashMap<>();
        clients.put("ada", client("session", ABLE, folder, ""));
        clients.put("ben", client("session", "{}", folder, ""));
        clients.put("eve", client("session", "{\"sampling\":{}}", folder, ""));
        Served everything = Served.ofPackage("@modelcontextprotocol/server-everything", "stdio");
        try (SharedLauncher launcher = launcher(Map.of("everything", everything))) {
            List<List<String>> alone = tools(seen(launcher::alone, clients));
            for (int place = 0; place < clients.size(); place++) {
                Files.delete(helloOf(place));
            }
            assertThat(tools(seen(launcher::client, clients))).isEqualTo(alone);
            assertThat(Set.copyOf(alone)).hasSize(3);
            assertThat(launcher.gateways()).hasSize(1);
        }
    }

    private static List<List<String>> tools(List<JsonView> seen) {
        return seen.stream()
                .map(each -> Seen.strings(Scripts.part(each, "tools")).stream()
                        .sorted()
                        .toList())
                .toList();
    }
}
