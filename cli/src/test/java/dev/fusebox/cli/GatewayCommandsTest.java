package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.GatewayClients;
import dev.fusebox.config.ServerState;
import dev.fusebox.gateway.AdminSocket;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.admin.AdminControls;
import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The commands that speak to a running gateway, over its socket.
///
/// Over five seconds: a gateway that does not answer is waited for.
@Tag("process")
@Timeout(120)
class GatewayCommandsTest extends GatewayCommandsSteps {
    @Test
    void status_shows_servers_with_breakers_and_exit_code() {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(run("status")).isEqualTo(ExitStatus.FAILED);
            assertThat(out())
                    .startsWith(
                            "gateway " + PID + ", without a configuration file\n  jira  idle, breaker closed: ready")
                    .contains("  mail  disabled: `./fusebox enable mail` enables it")
                    .contains("  disk  awaiting_user_config: it needs variables that are not set: NOT_SET_ANYWHERE");
            run("status", "--json");
            JsonView gateway = Objects.requireNonNull(JsonView.of(out()).member("gateways"))
                    .elements()
                    .getFirst();
            assertThat(gateway.json())
                    .startsWith("{\"pid\":" + PID + ",\"config\":")
                    .contains(",\"servers\":[{\"name\":\"jira\"");
            assertThat(run("list")).isEqualTo(ExitStatus.DONE);
            assertThat(out()).contains("  jira  idle\n");
            adminSocket.drain();
        }
        assertThat(home.resolve("run/" + PID + ".sock")).doesNotExist();
    }

    @Test
    void empty_configuration_is_reported() throws IOException {
        Files.writeString(home.resolve("config.json"), "{\"mcpServers\": {}}");
        assertThat(run("status")).isEqualTo(ExitStatus.DONE);
        assertThat(out())
                .startsWith(
                        "no gateway is running; " + home.resolve("config.json") + " has no servers; `./fusebox init`");
    }

    @Test
    void status_without_gateway_lists_configured_servers() {
        assertThat(run("status", "--gateway", "17")).isEqualTo(ExitStatus.USAGE);
        assertThat(err()).contains("none is running");
        assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).startsWith("no gateway is running; ");
        assertThat(run("list", "--tokens")).isEqualTo(ExitStatus.USAGE);
        assertThat(err()).contains("--tokens is only valid for tools");
        assertThat(run("restart", "jira")).isEqualTo(ExitStatus.USAGE);
        assertThat(err()).contains("no gateway is running");
        assertThat(run("list")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).startsWith("no gateway is running; ").contains("  jira  idle", "  mail  disabled");
        assertThat(run("list", "--json")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).startsWith("{\"gateways\":[],\"config\":").contains("\"status\":\"disabled\"");
    }

    @Test
    void breaker_is_opened_shown_and_reset() {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(run("breaker", "open", "jira", "--reason", "new disks")).isEqualTo(ExitStatus.DONE);
            assertThat(out()).isEqualTo("jira  forced-open, 0 failures, new disks\n");
            assertThat(run("breaker", "show", "jira")).isEqualTo(ExitStatus.DONE);
            assertThat(out()).startsWith("jira  forced-open, 0 failures, new disks");
            assertThat(run("status")).isEqualTo(ExitStatus.FAILED);
            assertThat(out())
                    .contains("jira  offline")
                    .contains(", breaker forced-open (new disks) until `./fusebox breaker reset jira`\n");
            assertThat(run("breaker", "reset", "jira")).isEqualTo(ExitStatus.DONE);
            assertThat(run("breaker", "show", "--json")).isEqualTo(ExitStatus.DONE);
            assertThat(out()).contains("\"state\":\"closed\"");
            assertThat(run("breaker", "open", "nobody")).isEqualTo(ExitStatus.FAILED);
            assertThat(err()).contains("unknown breaker nobody").doesNotContain("first call");
            assertThat(run("breaker", "open", "jirra")).isEqualTo(ExitStatus.FAILED);
            assertThat(err()).contains("did you mean \"jira\"?");
            assertThat(run("breaker", "open", "well/tool")).isEqualTo(ExitStatus.FAILED);
            assertThat(err()).contains("unknown breaker well/tool", "created by its first call");
            assertThat(run("breaker", "show", "jira/tool")).isEqualTo(ExitStatus.FAILED);
            adminSocket.drain();
        }
    }

    @Test
    void terminal_control_characters_are_not_printed() {
        assertThat(OutputText.plain("a\u001b[2Jb\u202ec\nd")).isEqualTo("a [2Jb c d");
    }

    @Test
    void tools_come_from_gateway() {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(run("tools", "echo", "--json")).isEqualTo(ExitStatus.DONE);
            assertThat(out()).startsWith("{\"gateways\":[{\"pid\":" + PID + ",\"tools\":[{");
            assertThat(err()).isEmpty();
            assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
            assertThat(out()).contains("well__echo");
            assertThat(err()).doesNotContain("mail");
            adminSocket.drain();
        }
    }

    @Test
    void connect_and_restart_print_resulting_state() {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(run("connect", "well")).isEqualTo(ExitStatus.DONE);
            assertThat(out()).contains("well is online");
            String before = process();
            assertThat(run("restart", "well")).isEqualTo(ExitStatus.DONE);
            assertThat(process()).isNotEqualTo(before);
            assertThat(run("connect", "jira")).isEqualTo(ExitStatus.FAILED);
            assertThat(err()).contains("jira is offline", "command not found", "fusebox doctor jira");
            eventually(
                    "jira stays down",
                    () -> run("connect", "jira") == ExitStatus.FAILED && err().contains("still down"));
            assertThat(err()).contains("jira is still down", "`./fusebox doctor jira --fresh`");
            assertThat(run("connect", "mail")).isEqualTo(ExitStatus.FAILED);
            assertThat(err()).contains("mail is disabled", "fusebox enable mail");
            assertThat(run("restart", "jirra")).isEqualTo(ExitStatus.FAILED);
            assertThat(err()).contains("did you mean \"jira\"?");
            adminSocket.drain();
        }
    }

    @Test
    void forced_open_breaker_stays_open_until_reset() throws Exception {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(run("breaker", "open", "well", "--reason", "new disks")).isEqualTo(ExitStatus.DONE);
            for (String command : List.of("restart", "connect")) {
                assertThat(run(command, "well")).isEqualTo(ExitStatus.FAILED);
                assertThat(err()).contains("is forced open", "`./fusebox breaker reset well`");
            }
            assertThat(act("well", AdminControls.Action.RESTART))
                    .isInstanceOf(AdminControls.Result.HeldByOperator.class);
            assertThat(act("well", AdminControls.Action.CONNECT))
                    .isInstanceOf(AdminControls.Result.HeldByOperator.class);
            assertThat(act("mail", AdminControls.Action.RESTART))
                    .isInstanceOf(AdminControls.Result.HeldByOperator.class);
            OwnerClient client = RunningGateways.find(platform).toChange(null).client();
            for (String action : List.of("restart", "connect", "ping")) {
                for (String server : List.of("well", "mail")) {
                    OwnerClient.Answer answer = client.post("servers/" + server + "/" + action, "");
                    assertThat(answer.status()).as(answer.toString()).isEqualTo(409);
                    assertThat(answer.body().path("error", "code")).hasToString("\"withheld\"");
                }
            }
            assertThat(run("breaker", "show", "well")).isEqualTo(ExitStatus.DONE);
            assertThat(out()).startsWith("well  forced-open");
            assertThat(run("breaker", "reset", "well")).isEqualTo(ExitStatus.DONE);
            assertThat(run("restart", "well")).isEqualTo(ExitStatus.DONE);
            adminSocket.drain();
        }
    }

    @Test
    void server_is_disabled_and_enabled_at_run_time() {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(act("well", AdminControls.Action.CONNECT)).isInstanceOf(AdminControls.Result.Done.class);
            assertThat(gateway.children().live()).hasSize(1);
            assertThat(act("well", AdminControls.Action.DISABLE)).isInstanceOf(AdminControls.Result.Done.class);
            eventually(
                    "no child process is running",
                    () -> assertThat(gateway.children().live()).isEmpty());
            run("status");
            assertThat(out()).contains("  well  disabled: `./fusebox enable well`");
            assertThat(act("well", AdminControls.Action.DISABLE))
                    .isEqualTo(new AdminControls.Result.Done("well is already disabled"));
            assertThat(act("well", AdminControls.Action.ENABLE)).isInstanceOf(AdminControls.Result.Done.class);
            assertThat(act("well", AdminControls.Action.CONNECT)).isInstanceOf(AdminControls.Result.Done.class);
            adminSocket.drain();
        }
    }

    @Test
    void operator_enable_lasts_until_next_disable_in_file() throws Exception {
        assertThat(act("mail", AdminControls.Action.ENABLE)).isInstanceOf(AdminControls.Result.Done.class);
        assertThat(act("well", AdminControls.Action.DISABLE)).isInstanceOf(AdminControls.Result.Done.class);
        // What changes elsewhere leaves both as they were switched.
        reread(SERVERS.replace("\"command\": \"no-such-command-anywhere\"", "\"command\": \"no-such-command\""));
        assertThat(state("mail")).isInstanceOf(ServerState.Ready.class);
        assertThat(state("well")).isInstanceOf(ServerState.Disabled.class);
        reread(SERVERS.replace("\"disabled\": true", "\"disabled\": false"));
        assertThat(state("mail")).isInstanceOf(ServerState.Ready.class);
        reread(SERVERS);
        assertThat(state("mail")).isInstanceOf(ServerState.Disabled.class);
        assertThat(act("disk", AdminControls.Action.DISABLE)).isInstanceOf(AdminControls.Result.Done.class);
        assertThat(act("disk", AdminControls.Action.ENABLE)).isInstanceOf(AdminControls.Result.Done.class);
        assertThat(state("disk")).isInstanceOf(ServerState.AwaitingConfig.class);
    }

    @Test
    void enable_overrides_operator_change_with_unchanged_file() {
        Path file = home.resolve("config.json");
        gateway.setSource(file);
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            act("well", AdminControls.Action.DISABLE);
            assertThat(turn("enable", "well")).isEqualTo(ExitStatus.DONE);
            assertThat(out()).contains("is already enabled");
            assertThat(state("well")).isInstanceOf(ServerState.Ready.class);
            act("mail", AdminControls.Action.ENABLE);
            assertThat(turn("disable", "mail")).isEqualTo(ExitStatus.DONE);
            assertThat(state("mail")).isInstanceOf(ServerState.Disabled.class);
            gateway.setSource(home.resolve("another.json"));
            act("well", AdminControls.Action.DISABLE);
            assertThat(turn("enable", "well")).isEqualTo(ExitStatus.DONE);
            assertThat(state("well")).isInstanceOf(ServerState.Disabled.class);
            adminSocket.drain();
        }
    }

    @Test
    void server_is_switched_by_name_in_file() throws Exception {
        gateway.close();
        gateway = GatewayCore.open(
                platform,
                read("{\"mcpServers\": {\"My Server\": {\"command\": \"x\"}}}"),
                CoreOptions.of(ServeMode.TO_MANY));
        gateway.setSource(home.resolve("config.json"));
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            for (String name : List.of("My Server", "My-Server")) {
                act("My-Server", AdminControls.Action.DISABLE);
                assertThat(turn("enable", name)).as(err()).isEqualTo(ExitStatus.DONE);
                assertThat(state("My-Server")).as(name).isInstanceOf(ServerState.Ready.class);
            }
            adminSocket.drain();
        }
    }

    /// The dead one has the lower number, and is asked first.
    @Test
    void ended_gateway_does_not_prevent_notification_of_others() throws Exception {
        gateway.setSource(home.resolve("config.json"));
        Path socket = RunFolder.of(platform).made().socket(1);
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway);
                ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(socket));
            act("well", AdminControls.Action.DISABLE);
            assertThat(turn("enable", "well")).isEqualTo(ExitStatus.DONE);
            assertThat(err()).contains("fusebox: cannot notify gateway 1, which only follows the file: ");
            assertThat(state("well")).isInstanceOf(ServerState.Ready.class);
            adminSocket.drain();
        }
    }

    @Test
    void rejected_switch_is_reported() throws Exception {
        gateway.close();
        gateway = GatewayCore.open(
                platform,
                read("{\"mcpServers\": {\"one\": {\"command\": \"x\"}}}"),
                CoreOptions.of(new ServeMode(true, GatewayClients.MANY)));
        gateway.setSource(home.resolve("config.json"));
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(turn("disable", "one")).isEqualTo(ExitStatus.DONE);
            assertThat(err()).contains("cannot notify gateway " + PID, "cannot disable a server at runtime");
            adminSocket.drain();
        }
    }

    @Test
    void error_message_of_gateway_is_printed() {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            for (String action : List.of("nobody-knows", "jira")) {
                assertThat(run("restart", action)).isEqualTo(ExitStatus.FAILED);
                assertThat(err()).startsWith("fusebox: ");
            }
            adminSocket.drain();
        }
    }

    @Test
    void servers_are_shown_in_the_order_of_the_file() throws Exception {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            for (String disabled : List.of("", ", \"disabled\": true")) {
                reread(SERVERS.replace("no-such-command-anywhere\"", "no-such-command-anywhere\"" + disabled));
                assertThat(run("list")).isEqualTo(ExitStatus.DONE);
                assertThat(out().lines().skip(1).map(line -> line.strip().split(" ", 2)[0]))
                        .containsExactly("jira", "mail", "disk", "well");
            }
            adminSocket.drain();
        }
    }

    @Test
    void lines_of_several_gateways_are_told_apart() throws IOException {
        try (AdminSocket _ = AdminSocket.open(platform, gateway);
                HttpServer _ = other()) {
            assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
            assertThat(out()).contains("gateway " + PID + ", without", "gateway " + OTHER + ", without");
            assertThat(run("breaker", "show")).isEqualTo(ExitStatus.DONE);
            assertThat(out()).contains("gateway " + PID + ", without", "gateway " + OTHER + ", without");
            assertThat(run("breaker", "show", "--json")).isEqualTo(ExitStatus.DONE);
            assertThat(out()).contains("{\"pid\":" + PID + ",\"breakers\":[{", "{\"pid\":" + OTHER + ",");
        }
    }

    @Test
    void gateway_that_shuts_down_is_marked() throws IOException {
        try (HttpServer _ = other()) {
            gateway.adminApi().drain();
            run("status");
            assertThat(out()).contains("gateway " + OTHER + ", without a configuration file, shutting down");
        }
    }

    @Test
    void several_gateways_are_all_shown_and_changes_need_selection() throws IOException {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway);
                HttpServer other = other()) {
            run("status");
            assertThat(out()).contains("gateway " + PID + ", without", "gateway " + OTHER + ", without");
            assertThat(run("breaker", "open", "jira")).isEqualTo(ExitStatus.USAGE);
            assertThat(err()).contains("--gateway PID: " + PID + ", " + OTHER);
            assertThat(run("breaker", "open", "jira", "--gateway", Long.toString(OTHER)))
                    .isEqualTo(ExitStatus.DONE);
            assertThat(run("breaker", "open", "jira", "--gateway", "17")).isEqualTo(ExitStatus.USAGE);
            // Those of the questions before may not have ended yet.
            eventually(
                    "fewer than three connections are open",
                    () -> assertThat(other.connections()).isLessThan(3));
            adminSocket.drain();
        }
    }

    @Test
    void usage_errors_are_reported() {
        assertThat(run("list", "--watch")).isEqualTo(ExitStatus.USAGE);
        assertThat(err()).contains("--watch is only valid for status");
        assertThat(run("status", "--watch", "jira")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("status", "--jsn")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("status", "jira")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("restart")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("breaker", "explode", "jira")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("breaker", "reset", "jira", "--reason", "x")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("status", "--gateway", "x")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("status", "--gateway")).isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void gateway_serves_without_admin_socket() {
        Platform deep = platform.withEnvironment(
                Map.of("FUSEBOX_HOME", home.resolve("x".repeat(120)).toString()));
        try (AdminSocket adminSocket = AdminSocket.open(deep, gateway)) {
            assertThat(home.resolve("x".repeat(120)).resolve("run/admin.token")).exists();
            adminSocket.drain();
        }
    }

    @Test
    void deleted_socket_is_created_again() throws Exception {
        RunFolder folder = RunFolder.of(platform);
        Path token = folder.path().resolve("admin.token");
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            // The gateway looks every two seconds, maybe between two of these deletions.
            eventually("all is deleted", () -> isDeleted(folder));
            eventually("the token is written", () -> assertThat(token).exists());
            assertThat(folder.gateways()).extracting(RunFolder.Gateway::pid).containsExactly(PID);
            assertThat(run("status")).isEqualTo(ExitStatus.FAILED);
            assertThat(out()).contains("gateway " + PID);
            adminSocket.drain();
        }
        assertThat(folder.gateways()).isEmpty();
        assertThat(folder.socket(PID)).doesNotExist();
    }

    /// Deletes its files, and tells if nothing has been created again meanwhile.
    private static boolean isDeleted(RunFolder folder) {
        try {
            Files.deleteIfExists(folder.socket(PID));
            Files.deleteIfExists(folder.path().resolve("admin.token"));
            Files.deleteIfExists(folder.path());
            return folder.gateways().isEmpty();
        } catch (IOException notEmpty) {
            return false;
        }
    }

    @Test
    void error_response_is_not_empty_breaker_list() throws Exception {
        Path socket = RunFolder.of(platform).made().socket(PID);
        byte[] refusal = "{\"error\":{\"message\":\"not now\"}}".getBytes(StandardCharsets.UTF_8);
        try (HttpServer _ = HttpServer.open(
                HttpSettings.unix(socket),
                (request, reply) -> reply.respond(503, HttpHeaders.none(), refusal),
                platform)) {
            assertThat(run("breaker", "show")).isEqualTo(ExitStatus.FAILED);
            assertThat(err()).contains("not now");
        }
    }
}
