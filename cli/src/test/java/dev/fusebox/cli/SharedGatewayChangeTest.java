package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a client of a shared gateway notices of a gateway's end and of a change of the file.
///
/// Over five seconds: connectors and gateways are JVMs.
@Tag("process")
@Timeout(120)
class SharedGatewayChangeTest {
    private static final Duration LONG = Duration.ofSeconds(40);

    @TempDir
    Path folder;

    private SharedHome home() {
        return new SharedHome(folder).server("s", "").save();
    }

    private static List<String> methods(SharedClient client) {
        return client.notifications().stream()
                .map(each -> Objects.requireNonNull(each.string("method")))
                .toList();
    }

    @Test
    void question_of_a_gateway_that_ends_is_withdrawn_and_its_late_answer_reaches_no_other() {
        try (SharedHome home =
                new SharedHome(folder).server("s", ",\"isolation\":\"session\"").save()) {
            SharedClient ada = home.client("ada").hello(SharedHome.ABLE).silent();
            String asking = ada.sendCall("s__ask", "first");
            eventually("it is asked", LONG, () -> ada.questions().size() == 1);
            JsonView first = ada.questions().getFirst();
            SharedHome.signal(home.gateway(), "KILL");

            assertThat(SharedClient.text(ada.await(asking))).contains("may have been executed");
            eventually(
                    "the question is withdrawn",
                    LONG,
                    () -> ada.notifications().stream()
                            .anyMatch(each -> Objects.equals(each.string("method"), "notifications/cancelled")
                                    && id(Objects.requireNonNull(each.path("params", "requestId")))
                                            .equals(id(Objects.requireNonNull(first.member("id"))))));
            String again = ada.sendCall("s__ask", "second");
            eventually("it is asked again", LONG, () -> ada.questions().size() == 2);
            JsonView second = ada.questions().getLast();
            assertThat(id(Objects.requireNonNull(second.member("id"))))
                    .isNotEqualTo(id(Objects.requireNonNull(first.member("id"))));
            ada.reply(first, "{\"action\":\"decline\"}");
            ada.reply(second, "{\"action\":\"accept\",\"content\":{\"who\":\"late\"}}");
            assertThat(SharedClient.text(ada.await(again))).contains("late");
        }
    }

    @Test
    void cancelled_call_is_not_answered_when_its_gateway_ends() {
        try (SharedHome home =
                new SharedHome(folder).server("s", ",\"isolation\":\"session\"").save()) {
            SharedClient ada = home.client("ada").hello(SharedHome.ABLE).silent();
            String asking = ada.sendCall("s__ask", "first");
            eventually("it is asked", LONG, () -> ada.questions().size() == 1);
            ada.cancel(asking);
            // Its answer shows that the connector has read the cancellation.
            ada.answer("ping", "{}");
            long gateway = home.gateway();
            SharedHome.signal(gateway, "KILL");

            eventually("it has ended", () -> !SharedHome.isRunning(gateway));
            assertThat(ada.call("s__echo", "served")).isEqualTo("served");
            assertThat(ada.isAnswered(asking)).isFalse();
        }
    }

    private static String id(JsonView id) {
        return id.json();
    }

    @Test
    void client_whose_lists_stay_the_same_is_told_nothing_and_one_whose_lists_differ_is() {
        try (SharedHome home = home()) {
            SharedClient ada = home.client("ada").hello("{}");
            assertThat(ada.answer("tools/list", "{}").json()).contains("s__who");
            eventually(
                    "its first gateway tells it of the list that it has asked for",
                    LONG,
                    () -> methods(ada).size() == 1);
            eventually("the next gateway knows the list at its start", LONG, home::hasCache);
            long first = home.gateway();
            SharedHome.signal(first, "KILL");
            eventually("it has ended", () -> !SharedHome.isRunning(first));
            assertThat(ada.call("s__echo", "served")).isEqualTo("served");
            assertThat(ada.answer("tools/list", "{}").json()).contains("s__who");
            throughout(
                    "it is told nothing",
                    Duration.ofSeconds(1),
                    () -> assertThat(ada.notifications().stream().map(JsonView::json))
                            .hasSize(1));

            long before = home.gateway();
            SharedHome.signal(before, "STOP");
            home.server("more", "").save();
            SharedHome.signal(before, "KILL");
            eventually(
                    "the client is notified of the other list",
                    LONG,
                    () -> methods(ada).size() >= 2);
            assertThat(methods(ada)).last().isEqualTo("notifications/tools/list_changed");
            assertThat(ada.answer("tools/list", "{}").json()).contains("s__who", "more__who");
        }
    }

    @Test
    void variable_that_the_changed_file_names_is_taken_from_the_clients() {
        try (SharedHome home = home()) {
            SharedClient ada = home.variable("TOKEN", "of ada").client("ada").hello("{}");
            SharedClient ben = home.variable("TOKEN", "of ben").client("ben").hello("{}");
            assertThat(ada.call("s__who", "")).isEqualTo(ben.call("s__who", ""));
            long gateway = home.gateway();

            home.server("s", ",\"env\":{\"TOKEN\":\"${TOKEN}\"}").save();
            List<String> seen = new ArrayList<>();
            eventually("each has its own", LONG, () -> {
                seen.add(ben.call("s__who", ""));
                return ada.call("s__who", "").endsWith(" of ada")
                        && seen.getLast().endsWith(" of ben");
            });
            // The gateway was started by ada, and has her variables.
            assertThat(seen).noneMatch(each -> each.endsWith(" of ada"));
            assertThat(home.gateway()).isEqualTo(gateway);
        }
    }

    /// The file with what the last gateway printed at its start.
    private static Path startLog(SharedHome home) throws IOException {
        try (var files = Files.list(home.run())) {
            return files.filter(file -> file.toString().endsWith(".start"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void gateway_that_ends_while_the_file_is_being_written_costs_no_client() throws IOException {
        try (SharedHome home = home()) {
            SharedClient ada = home.client("ada").hello("{}");
            assertThat(ada.call("s__echo", "served")).isEqualTo("served");
            long gateway = home.gateway();
            Path startLog = startLog(home);
            SharedHome.signal(gateway, "STOP");
            Files.writeString(home.config(), "{\"mcpServers\":");
            SharedHome.signal(gateway, "KILL");
            eventually(
                    "the next one cannot start", LONG, () -> Disk.read(startLog).contains("config.json:1"));
            home.save();
            assertThat(ada.call("s__echo", "served again")).isEqualTo("served again");
            assertThat(ada.isAlive()).isTrue();
        }
    }

    @Test
    void connector_whose_gateway_is_frozen_ends_soon_after_its_client() {
        try (SharedHome home = home()) {
            SharedClient ada = home.client("ada").hello("{}");
            assertThat(ada.call("s__echo", "x")).isEqualTo("x");
            long frozen = home.gateway();
            SharedHome.signal(frozen, "STOP");
            try {
                assertThat(ada.leave()).isZero();
            } finally {
                SharedHome.signal(frozen, "CONT");
            }
        }
    }

    @Test
    void clients_of_a_removed_profile_see_nothing_any_more() {
        try (SharedHome home = new SharedHome(folder)
                .server("s", "")
                .with(",\"profiles\":{\"few\":{\"servers\":[\"s\"]}}")
                .save()) {
            SharedClient ada = home.inProfile("ada", "few").hello("{}");
            assertThat(ada.call("s__echo", "x")).isEqualTo("x");
            home.with("").save();
            eventually(
                    "its servers are gone",
                    LONG,
                    () -> !ada.answer("tools/list", "{}").json().contains("s__who"));
            JsonView refused = ada.await(ada.sendCall("s__echo", "x"));
            assertThat(Objects.requireNonNull(SharedClient.error(refused)).string("outcome"))
                    .isEqualTo("not_sent");
        }
    }

    @Test
    void changed_time_for_which_a_gateway_stays_without_clients_takes_effect_while_it_runs() {
        try (SharedHome home = home()) {
            SharedClient ada = home.client("ada").hello("{}");
            long gateway = home.gateway();
            ada.leave();
            home.with(",\"share\":{\"idleMs\":200}").save();
            eventually("it has ended", LONG, () -> !SharedHome.isRunning(gateway));
        }
    }

    @Test
    void second_gateway_over_http_that_finds_its_port_in_use_takes_nothing_from_the_first() throws Exception {
        try (SharedHome home = home();
                SharedHome.HttpGateway gateway = home.overHttp()) {
            SharedClient ada = home.client("ada").hello("{}");
            String process = ada.call("s__who", "");
            String port = Integer.toString(gateway.uri().getPort());
            ProcessBuilder second = new ProcessBuilder(Launched.command(
                            "serve",
                            "--share",
                            "auto",
                            "--transport",
                            "http",
                            "--port",
                            port,
                            "--config",
                            home.config().toString()))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("second.txt").toFile());
            second.environment().put("FUSEBOX_HOME", folder.toString());
            Process refused = second.start();
            assertThat(refused.waitFor(40, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(folder.resolve("second.txt"))).contains("in use");

            assertThat(home.client("ben").hello("{}").call("s__who", "")).isEqualTo(process);
            assertThat(home.gateways()).containsExactly(gateway.pid());
        }
    }
}
