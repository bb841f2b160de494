package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What people and clients are told of servers that clients share.
///
/// Over five seconds: connectors and gateways are JVMs.
@Tag("process")
@Timeout(180)
class SharedStatusProcessTest {
    private static final Duration LONG = Duration.ofSeconds(40);

    private static final String ISOLATION = "\"isolation\": \"session\" for s gives each client its own process";

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private Platform platform() {
        return Platform.system()
                .withEnvironment(Map.of("FUSEBOX_HOME", folder.toString(), "PATH", System.getenv("PATH")));
    }

    private CommandOutput output() {
        out.reset();
        PrintStream to = new PrintStream(out, true, UTF_8);
        return new CommandOutput(to, to, false);
    }

    private String status(String... words) {
        new GatewayCommands(platform()).status(List.of(words), output());
        return out.toString(UTF_8);
    }

    private String doctor(String... words) {
        assertThat(new DoctorCommand(platform()).run(List.of(words), output())).isEqualTo(ExitStatus.DONE);
        return out.toString(UTF_8);
    }

    @Test
    void status_and_doctor_name_who_shares_a_server_and_what_it_was_not_offered() {
        try (SharedHome home = new SharedHome(folder).server("s", "").save()) {
            SharedClient ada = home.client("ada").hello("{}");
            ada.call("s__who", "");
            assertThat(status()).contains("    used by 1 client: ada\n");
            home.client("ada").hello("{}").call("s__who", "");
            home.client("ben").hello("{\"experimental\":{}}").call("s__who", "");

            String sharers = "shared by 3 clients: ada (2), ben\n";
            String lacking = "not offered to a shared process, though a client of it can do that: experimental";
            assertThat(status()).contains("    " + sharers, "    " + lacking + "; " + ISOLATION + "\n");
            assertThat(status("--json"))
                    .contains("\"sharedBy\":[{\"clientCount\":3,\"clients\":[\"ada\",\"ada\",\"ben\"],"
                            + "\"notOffered\":[\"experimental\"]}]");
            assertThat(doctor("s"))
                    .contains(
                            "  ✓ gateway: " + sharers,
                            "  ⚠ gateway: " + lacking + " [config-warning]\n    → " + ISOLATION);
        }
    }

    @Test
    void status_shows_how_many_clients_share_a_gateway_and_when_it_ends_without_them() {
        try (SharedHome home = new SharedHome(folder).server("s", "").save()) {
            SharedClient ada = home.client("ada").hello("{}");
            String shared = "\n  shared gateway of the stdio clients of this file; ";
            assertThat(status()).contains(shared + "1 client connected\n");
            SharedClient ben = home.client("ben").hello("{}");
            assertThat(status()).contains(shared + "2 clients connected\n");
            assertThat(status("--json"))
                    .contains("\"kind\":\"shared\",\"clientCount\":2,\"shared\":true")
                    .doesNotContain("endsInMs");
            ada.leave();
            ben.leave();
            eventually(
                    "no client is left",
                    () -> assertThat(status()).contains(shared + "no client connected, ends in 10 minutes\n"));
            assertThat(status("--json")).containsPattern("\"clientCount\":0,\"endsInMs\":\\d+,");
        }
    }

    @Test
    void status_tells_gateways_over_http_and_of_one_client_from_a_shared_one() throws IOException {
        try (SharedHome home = new SharedHome(folder).server("s", "").save()) {
            home.serve("ada", "--share", "off").hello("{}");
            // It answers its client before it opens the socket for commands.
            eventually(
                    "the gateway can be asked",
                    () -> assertThat(status())
                            .contains("\n  gateway of one stdio client\n")
                            .doesNotContain("shared gateway"));
            try (SharedHome.HttpGateway _ = home.overHttp()) {
                home.client("ben").hello("{}");
                assertThat(status())
                        .contains("\n  HTTP gateway, shared with stdio clients; 1 client connected\n")
                        .contains("\n  gateway of one stdio client\n");
                assertThat(status("--json"))
                        .contains("\"kind\":\"stdio\",\"shared\":false")
                        .contains("\"kind\":\"http\",\"clientCount\":1,\"shared\":true");
            }
        }
    }

    @Test
    void status_and_doctor_say_how_clients_in_several_folders_can_share_a_server() throws IOException {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path two = Files.createDirectory(folder.resolve("two"));
        try (SharedHome home = new SharedHome(folder)
                .server("s", "")
                .server("fixed", ",\"cwd\":\"/\"")
                .save()) {
            SharedClient ada = home.client("ada", one, List.of()).hello("{}");
            SharedClient ben = home.client("ben", two, List.of()).hello("{}");
            for (SharedClient client : List.of(ada, ben)) {
                client.call("s__who", "");
                client.call("fixed__who", "");
            }
            String folders = "clients in different folders have different processes";
            String cwd = "give s an absolute \"cwd\" if it does not depend on the folder of its client";
            assertThat(status())
                    .contains("    used by 1 client: ada\n")
                    .contains("    used by 1 client: ben\n    s@2 differs from s in folder\n")
                    .contains("    shared by 2 clients: ada, ben\n")
                    .containsOnlyOnce("  " + folders + " of s; " + cwd + "\n")
                    .doesNotContain("give fixed");
            assertThat(doctor("s"))
                    .contains("  ✓ gateway: 2 clients with 2 processes: ada; ben\n")
                    .contains("  ✓ gateway: " + folders + "\n    → " + cwd + "\n");
            ben.leave();
            eventually(
                    "there is nothing more to share", () -> assertThat(status()).doesNotContain(folders));
        }
    }

    @Test
    void folder_hint_is_printed_once_for_all_servers() throws IOException {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path two = Files.createDirectory(folder.resolve("two"));
        try (SharedHome home =
                new SharedHome(folder).server("s", "").server("t", "").save()) {
            home.client("ada", one, List.of()).hello("{}");
            home.client("ben", two, List.of()).hello("{}");
            assertThat(status())
                    .containsOnlyOnce("  clients in different folders have different processes of s, t;"
                            + " give each an absolute \"cwd\" if it does not depend on the folder of its client\n");
        }
    }

    @Test
    void status_and_doctor_name_what_prevents_clients_from_sharing_and_show_no_value() {
        try (SharedHome home = new SharedHome(folder)
                .server("s", ",\"env\":{\"TOKEN\":\"${KEY:-none}\"}")
                .server("fixed", ",\"env\":{\"PATH\":\"" + System.getenv("PATH") + "\"}")
                .save()) {
            SharedClient ada = home.client("ada").hello("{}");
            home.variable("KEY", "hidden").variable("PATH", System.getenv("PATH") + ":/hidden");
            SharedClient ben = home.client("ben").hello("{}");
            for (SharedClient client : List.of(ada, ben)) {
                client.call("s__who", "");
                client.call("fixed__who", "");
            }
            String difference = "s@2 differs from s in PATH, TOKEN\n";
            assertThat(status())
                    .contains("    used by 1 client: ben\n    " + difference)
                    .contains("    shared by 2 clients: ada, ben\n")
                    .doesNotContain("hidden", "different folders");
            assertThat(status("--json"))
                    .contains("\"differsFrom\":\"s\",\"differentVariables\":[\"PATH\",\"TOKEN\"],"
                            + "\"differentSettings\":[]")
                    .doesNotContain("hidden");
            assertThat(doctor("s")).contains("  ✓ gateway: " + difference).doesNotContain("hidden");
        }
    }

    @Test
    void clients_that_have_not_called_a_server_are_not_counted_as_its_users() {
        try (SharedHome home = new SharedHome(folder).server("s", "").save()) {
            home.client("ada").hello("{}").call("s__who", "");
            home.client("ben").hello("{}").call("s__who", "");
            assertThat(home.client("eve").hello("{}").answer("tools/list", "{}").path("result"))
                    .isNotNull();
            assertThat(status()).contains("    shared by 2 clients: ada, ben\n").doesNotContain("eve");
        }
    }

    /// A command has no session, so it cannot be known how many commands have used a process.
    @Test
    void commands_without_a_session_are_named_and_not_counted() {
        try (SharedHome home = new SharedHome(folder)
                .server("s", "")
                .server("t", "")
                .server("all", ",\"isolation\":\"shared\"")
                .save()) {
            SharedClient ada = home.client("ada").hello("{}");
            ada.call("s__who", "");
            for (String tool : List.of("s/who", "s/who", "t/who", "all/who")) {
                assertThat(call(tool)).hasSize(1);
            }
            assertThat(status())
                    .contains("    used by 1 client: ada, and clients without a session\n")
                    .containsPattern("  t +online.*\n    used by clients without a session, such as the command call\n")
                    .containsPattern(
                            "  all +online.*\n    used by clients without a session, such as the command call\n");
            assertThat(status("--json"))
                    .contains("\"sharedBy\":[{\"clientCount\":1,\"clients\":[\"ada\"],\"notOffered\":[],"
                            + "\"withoutSession\":true}]");
        }
    }

    @Test
    void file_in_use_is_named_on_standard_error_once_whether_the_command_names_it_or_not() throws IOException {
        try (SharedHome home = new SharedHome(folder).server("s", "").save()) {
            for (SharedClient client : List.of(home.naming("ada"), home.client("ben"))) {
                client.hello("{}").call("s__who", "");
                assertThat(Files.readString(client.errors())).containsOnlyOnce("fusebox: using " + home.config());
            }
        }
    }

    @Test
    void server_that_an_operator_switches_off_and_on_is_off_and_on_for_clients_in_all_folders() throws IOException {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path two = Files.createDirectory(folder.resolve("two"));
        try (SharedHome home = new SharedHome(folder).server("s", "").save()) {
            List<SharedClient> clients = List.of(
                    home.client("ada", one, List.of()).hello("{}"),
                    home.client("ben", two, List.of()).hello("{}"));
            for (SharedClient client : clients) {
                assertThat(client.call("s__echo", "before")).isEqualTo("before");
            }
            OwnerClient operator =
                    RunningGateways.find(platform()).all().getFirst().client();
            operator.post("servers/s/disable", "").good();
            for (SharedClient client : clients) {
                assertThat(client.call("s__echo", "off")).contains("s is disabled");
            }
            operator.post("servers/s/enable", "").good();
            for (SharedClient client : clients) {
                assertThat(client.call("s__echo", "after")).isEqualTo("after");
            }
        }
    }

    // ---- Several servers of one name

    /// The lines that a command prints.
    private List<String> lines(Runnable command) {
        command.run();
        return out.toString(UTF_8).lines().toList();
    }

    private List<String> call(String... words) {
        return lines(() -> assertThat(new CallCommand(platform()).run(List.of(words), output()))
                .as(out.toString(UTF_8))
                .isEqualTo(ExitStatus.DONE));
    }

    private List<String> tools(String... words) {
        return lines(() -> new GatewayCommands(platform()).tools(List.of(words), output()));
    }

    private List<String> logs(String... words) {
        return lines(() -> new LogsCommand(platform()).run(List.of(words), output()));
    }

    private List<String> breakers(String... words) {
        return lines(() -> new GatewayCommands(platform()).breaker(List.of(words), output()));
    }

    @Test
    void commands_accept_the_names_of_several_servers_of_one_name() throws IOException {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path two = Files.createDirectory(folder.resolve("two"));
        // Python warns of the invalid value on standard error.
        try (SharedHome home = new SharedHome(folder)
                .server("s", ",\"env\":{\"PYTHONWARNINGS\":\"nonsense\"}")
                .save()) {
            home.client("ada", one, List.of()).hello("{}").call("s__who", "");
            home.client("ben", two, List.of()).hello("{}").call("s__who", "");

            assertThat(call("s/who")).singleElement().asString().contains(one + " ");
            assertThat(call("s@2/who")).singleElement().asString().contains(two + " ");
            assertThat(call("s@2", "who")).singleElement().asString().contains(two + " ");
            assertThat(call("s@2__who", "text=x")).singleElement().asString().contains(two + " ");
            assertThat(new CallCommand(platform()).run(List.of("s@3/who"), output()))
                    .isEqualTo(ExitStatus.FAILED);
            assertThat(out.toString(UTF_8))
                    .contains("unknown server s@3", "s@3 means the server s of clients in another folder");

            assertThat(tools()).contains("s__who", "s@2/who").doesNotHaveDuplicates();
            assertThat(tools("s@2")).contains("s@2/who").noneMatch(line -> line.startsWith("s__"));
            assertThat(tools("s@2/who")).anyMatch(line -> line.startsWith("s@2/who  (exposed as s__who)"));
            assertThat(tools("s@3")).singleElement().asString().contains("unknown server s@3");
            assertThat(breakers("show", "s"))
                    .anyMatch(line -> line.startsWith("s  closed"))
                    .anyMatch(line -> line.startsWith("s@2  closed"));

            assertThat(logs("s")).anyMatch(line -> line.contains(" [s] ")).anyMatch(line -> line.contains(" [s@2] "));
            assertThat(logs("s@2")).isNotEmpty().allMatch(line -> line.contains(" [s@2] "));

            assertThat(new DoctorCommand(platform()).run(List.of("s@2"), output()))
                    .isEqualTo(ExitStatus.USAGE);
            assertThat(out.toString(UTF_8))
                    .contains("the doctor checks servers of the configuration, and s@2 means the server s of clients")
                    .contains("doctor s` checks s");
        }
        eventually(
                "the gateway has ended",
                () -> assertThat(logs("s"))
                        .anyMatch(line -> line.contains(" [s] "))
                        .anyMatch(line -> line.contains(" [s@2] ")));
        assertThat(new CallCommand(platform()).run(List.of("s@2/who"), output()))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(out.toString(UTF_8)).contains("no gateway is running; s@2 means the server s of clients");
    }

    @Test
    void replaced_gateway_is_marked_and_commands_use_the_one_in_its_place() {
        try (SharedHome home =
                new SharedHome(folder).server("s", ",\"isolation\":\"session\"").save()) {
            home.client("old", folder, List.of(home.build("b1", 1_000_000)))
                    .hello("{}")
                    .call("s__who", "");
            long before = home.gateway();
            home.client("next", folder, List.of(home.build("b2", 2_000_000)))
                    .hello("{}")
                    .call("s__who", "");
            String replaced = "gateway " + before + ", " + home.config()
                    + ", replaced by another gateway: it ends when its last clients have left";
            eventually(
                    "the old gateway has noticed",
                    () -> assertThat(status()).containsOnlyOnce("replaced by").contains(replaced));
            assertThat(status("--json"))
                    .containsOnlyOnce("\"shared\":true,\"state\":\"replaced\"")
                    .containsOnlyOnce("\"shared\":true,\"state\":\"serving\"");

            assertThat(call("s/who")).hasSize(1);
            assertThat(tools()).contains("s__who").doesNotHaveDuplicates();
            assertThat(breakers("show", "s")).hasSize(1);
            assertThat(breakers("show", "s", "--gateway", "" + before)).hasSize(1);
            assertThat(breakers("reset", "s")).hasSize(1);
        }
    }

    // ---- Lost state

    /// Of the first call that is answered: a call that is sent while the gateway is being killed is lost.
    private static @Nullable JsonView restarted(SharedClient client, String tool) {
        JsonView answer = client.await(client.sendCall(tool, ""));
        for (int i = 0; i < 5 && SharedClient.error(answer) != null; i++) {
            answer = client.await(client.sendCall(tool, ""));
        }
        assertThat(SharedClient.error(answer)).isNull();
        return answer.path("result", "_meta", "fusebox/restarted");
    }

    private static void assertIsToldOnce(SharedClient client) {
        JsonView told = Objects.requireNonNull(restarted(client, "s__who"));
        assertThat(told.string("server")).isEqualTo("s");
        assertThat(told.string("reason")).isEqualTo("gateway");
        assertThat(restarted(client, "s__who")).isNull();
    }

    @Test
    void client_is_not_told_of_a_lost_gateway_because_a_key_was_added_to_the_file() {
        try (SharedHome home = new SharedHome(folder).server("s", "").save()) {
            SharedClient ada = home.client("ada").hello("{}");
            assertThat(restarted(ada, "s__who")).isNull();
            // A client that alone uses a process does not connect again as long as that holds its state.
            assertThat(restarted(home.client("ben").hello("{}"), "s__who")).isNull();
            home.server("off", ",\"disabled\":true").save();
            eventually("the file is applied", () -> assertThat(status()).contains("  off  disabled"));
            // The gateway looks each second whether the file names further variables.
            throughout(
                    "nothing is lost",
                    Duration.ofSeconds(3),
                    () -> assertThat(restarted(ada, "s__who")).isNull());
        }
    }

    @Test
    void client_that_connects_again_for_a_new_variable_is_told_of_no_loss_while_another_one_uses_the_process() {
        try (SharedHome home =
                new SharedHome(folder).server("s", "").server("own", "").save()) {
            SharedClient ada = home.variable("TOKEN", "of ada").client("ada").hello("{}");
            SharedClient ben = home.variable("TOKEN", "of ben").client("ben").hello("{}");
            String process = ada.call("s__who", "");
            assertThat(ben.call("s__who", "")).isEqualTo(process);
            // It does not connect again while a process holds the state of it alone.
            ada.call("own__who", "");
            home.server("other", ",\"env\":{\"TOKEN\":\"${TOKEN}\"}").save();
            eventually(
                    "it has connected again",
                    LONG,
                    () -> ben.call("other__who", "").endsWith(" of ben"));
            assertThat(restarted(ben, "s__who")).isNull();
            assertThat(ben.call("s__who", "")).isEqualTo(process);
        }
    }

    /// Both clients connect again: whoever of them comes first may find the process without a user, which ends it.
    @Test
    void client_that_connects_again_for_a_new_variable_is_told_of_a_loss_exactly_if_the_process_is_another() {
        try (SharedHome home = new SharedHome(folder).server("s", "").save()) {
            SharedClient ada = home.variable("TOKEN", "of ada").client("ada").hello("{}");
            SharedClient ben = home.variable("TOKEN", "of ben").client("ben").hello("{}");
            String process = ada.call("s__who", "");
            assertThat(ben.call("s__who", "")).isEqualTo(process);
            home.server("other", ",\"env\":{\"TOKEN\":\"${TOKEN}\"}").save();
            eventually(
                    "it has connected again",
                    LONG,
                    () -> ben.call("other__who", "").endsWith(" of ben"));
            JsonView told = restarted(ben, "s__who");
            assertThat(told == null).isEqualTo(ben.call("s__who", "").equals(process));
            if (told != null) {
                assertThat(told.string("reason")).isEqualTo("gateway");
                assertThat(told.string("message")).contains("has connected to its gateway again");
            }
        }
    }

    @Test
    void users_of_a_shared_process_are_told_once_that_its_state_was_lost_with_a_killed_gateway() {
        try (SharedHome home =
                new SharedHome(folder).server("s", "").server("other", "").save()) {
            SharedClient ada = home.client("ada").hello("{}");
            SharedClient ben = home.client("ben").hello("{}");
            SharedClient eve = home.client("eve").hello("{}");
            assertThat(restarted(ada, "s__who")).isNull();
            assertThat(restarted(ben, "s__who")).isNull();
            assertThat(restarted(eve, "other__who")).isNull();
            SharedHome.signal(home.gateway(), "KILL");

            assertThat(restarted(eve, "s__who"))
                    .as("it had not used the server")
                    .isNull();
            assertThat(restarted(ada, "other__who")).isNull();
            assertIsToldOnce(ada);
            SharedHome.signal(home.gateway(), "KILL");
            assertThat(ben.answer("tools/list", "{}").path("result")).isNotNull();
            SharedHome.signal(home.gateway(), "KILL");
            assertIsToldOnce(ben);
            assertIsToldOnce(ada);
        }
    }

    @Test
    void state_that_is_lost_with_an_older_release_is_reported() {
        try (SharedHome home = new SharedHome(folder).server("s", "").save()) {
            List<String> build = List.of(home.build("b1", 1_000_000));
            SharedClient old = home.client("old", folder, build).hello("{}");
            SharedClient other = home.client("other", folder, build).hello("{}");
            assertThat(restarted(old, "s__who")).isNull();
            assertThat(restarted(other, "s__who")).isNull();
            long before = home.gateway();
            home.client("next", folder, List.of(home.build("b2", 2_000_000))).hello("{}");
            eventually("the older gateway has ended", LONG, () -> !SharedHome.isRunning(before));

            assertIsToldOnce(old);
            assertIsToldOnce(other);
        }
    }
}
