package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients that share a gateway, each with a connector as a process of its own.
///
/// Over five seconds: connectors and gateways are JVMs, and gateways and clients are silent for longer than
/// connectors wait.
@Tag("process")
@Timeout(180)
class SharedGatewayProcessTest {
    private static final Duration LONG = Duration.ofSeconds(40);

    @TempDir
    Path folder;

    private SharedHome home() {
        return new SharedHome(folder).server("s", "").save();
    }

    private static String process(SharedClient client) {
        return client.call("s__who", "").replaceFirst(" .*", "");
    }

    @Test
    void clients_of_one_file_share_a_gateway_and_a_process_of_each_server() {
        try (SharedHome home = home()) {
            List<SharedClient> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(home.client("c" + i));
            }
            Set<String> processes = new HashSet<>();
            for (SharedClient client : clients) {
                processes.add(process(client.hello(SharedHome.ABLE)));
            }
            assertThat(processes).hasSize(1);
            home.gateway();
            for (SharedClient client : clients) {
                assertThat(client.leave()).isZero();
            }
            long server = Long.parseLong(processes.iterator().next());
            eventually("the server has ended", () -> !SharedHome.isRunning(server));
            assertThat(home.gateways()).hasSize(1);
        }
    }

    @Test
    @Shows({"share.mode", "share.idleMs"})
    void gateway_that_the_file_lets_clients_share_ends_some_time_after_the_last_one() {
        try (SharedHome home = new SharedHome(folder)
                .server("s", "")
                .with(",\"share\":{\"mode\":\"auto\",\"idleMs\":200}")
                .save()) {
            SharedClient ada = home.byFile("ada").hello("{}");
            SharedClient ben = home.byFile("ben").hello("{}");
            assertThat(process(ada)).isEqualTo(process(ben));
            long gateway = home.gateway();
            ada.leave();
            assertThat(process(ben)).isNotEmpty();
            ben.leave();
            eventually("it has ended", LONG, () -> !SharedHome.isRunning(gateway));
        }
    }

    @Test
    void option_that_prevents_sharing_is_named_only_if_the_file_lets_clients_share() {
        try (SharedHome home = new SharedHome(folder).server("s", "").save()) {
            SharedClient ada = home.serve("ada", "--cooldown", "1000").hello("{}");
            assertThat(process(ada)).isNotEmpty();
            assertThat(ada.errors()).content().containsOnlyOnce("not sharing a gateway, because of --cooldown");
            home.with(",\"share\":{\"mode\":\"off\"}").save();
            SharedClient ben = home.serve("ben", "--cooldown", "1000").hello("{}");
            assertThat(process(ben)).isNotEmpty();
            assertThat(ben.errors()).content().doesNotContain("not sharing");
        }
    }

    @Test
    void what_is_launched_differently_is_another_process() throws IOException {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path two = Files.createDirectory(folder.resolve("two"));
        try (SharedHome home = new SharedHome(folder)
                .server("s", ",\"env\":{\"TOKEN\":\"${TOKEN:-none}\"}")
                .server("fixed", ",\"cwd\":\"/\"")
                .save()) {
            SharedClient ada = home.client("ada", one, List.of()).hello("{}");
            SharedClient ben = home.client("ben", two, List.of()).hello("{}");
            SharedClient eve = home.variable("TOKEN", "secret")
                    .client("eve", one, List.of())
                    .hello("{}");

            assertThat(ada.call("s__who", "")).endsWith(one.toRealPath() + " none");
            assertThat(ben.call("s__who", "")).endsWith(two.toRealPath() + " none");
            assertThat(eve.call("s__who", "")).endsWith(one.toRealPath() + " secret");
            assertThat(Set.of(process(ada), process(ben), process(eve))).hasSize(3);
            assertThat(ben.call("fixed__who", "")).isEqualTo(ada.call("fixed__who", ""));
            assertThat(eve.call("fixed__who", "")).isEqualTo(ada.call("fixed__who", ""));
            home.gateway();
        }
    }

    @Test
    void question_in_a_shared_process_is_refused_and_each_client_then_has_its_own() {
        try (SharedHome home = home()) {
            List<SharedClient> clients = new ArrayList<>();
            for (String name : List.of("ada", "ben", "eve")) {
                clients.add(home.client(name).hello(SharedHome.ABLE));
            }
            clients.forEach(SharedGatewayProcessTest::process);

            assertThat(clients.getFirst().call("s__ask", "first")).contains("-32601");
            for (int round = 0; round < 20; round++) {
                for (SharedClient client : clients) {
                    String text = "round " + round;
                    assertThat(client.call(round % 2 == 0 ? "s__ask" : "s__sample", text))
                            .contains(name(client, clients));
                }
            }
            for (SharedClient client : clients) {
                assertThat(client.questions()).hasSize(20);
            }
            Set<String> processes = new HashSet<>();
            clients.forEach(client -> processes.add(process(client)));
            assertThat(processes).hasSize(3);
        }
    }

    private static String name(SharedClient client, List<SharedClient> clients) {
        return List.of("ada", "ben", "eve").get(clients.indexOf(client));
    }

    private static final String PROFILES = """
            ,"profiles":{"work":{"servers":["s"],"tools":{"exclude":["s/slow"]}},
                         "few":{"tools":{"include":["s/who"]},"expose":"meta"}}""";

    @Test
    @Shows({"$.profiles", "profile.servers", "profile.expose", "profileTools.include", "profileTools.exclude"})
    void profiles_are_views_of_the_same_processes() {
        try (SharedHome home = new SharedHome(folder)
                .server("s", "")
                .server("other", "")
                .with(PROFILES)
                .save()) {
            SharedClient all = home.client("all").hello("{}");
            SharedClient work = home.inProfile("work", "work").hello("{}");

            assertThat(process(work)).isEqualTo(process(all));
            assertThat(all.answer("tools/list", "{}").json()).contains("s__slow", "other__who");
            assertThat(work.answer("tools/list", "{}").json())
                    .contains("s__who")
                    .doesNotContain("\"s__slow\"", "other__");
            for (String hidden : List.of("s__slow", "other__who")) {
                JsonView answer = work.await(work.sendCall(hidden, ""));
                assertThat(Objects.requireNonNull(SharedClient.error(answer)).string("outcome"))
                        .isEqualTo("not_sent");
            }
            SharedClient few = home.inProfile("few", "few").hello("{}");
            assertThat(few.answer("tools/list", "{}").json())
                    .contains("mcp_call")
                    .doesNotContain("s__");
            assertThat(SharedClient.text(few.viaGateway("s", "who"))).startsWith(process(all) + " ");
            assertThat(SharedClient.text(few.viaGateway("s", "slow"))).contains("s has no tool \"slow\"");
            SharedClient wrong = home.inProfile("wrong", "wrok");
            eventually("it is refused", LONG, () -> !wrong.isAlive());
            assertThat(wrong.leave()).isEqualTo(2);
            home.gateway();
        }
    }

    @Test
    void client_that_can_do_more_has_another_process_until_that_does_not_matter_to_the_server() {
        try (SharedHome home = home()) {
            SharedClient ada = home.client("ada").hello("{}");
            SharedClient ben = home.client("ben").hello(SharedHome.ABLE);
            SharedClient none = home.client("none").hello("{}");
            SharedClient eve = home.client("eve").hello(SharedHome.ABLE);

            String first = process(ada);
            assertThat(process(ben)).isNotEqualTo(first);
            assertThat(process(none)).isEqualTo(first);
            assertThat(process(eve)).isEqualTo(first);
            assertThat(eve.call("s__ask", "")).contains("-32601");
            assertThat(eve.call("s__ask", "")).contains("eve");
        }
    }

    @Test
    void clients_with_the_same_roots_share_a_process_that_reads_them() {
        try (SharedHome home =
                new SharedHome(folder).server("s", ",\"env\":{\"ROOTS\":\"1\"}").save()) {
            SharedClient ada = home.client("ada").rootedAt("here").hello(SharedHome.ABLE);
            SharedClient ben = home.client("ben").rootedAt("here").hello(SharedHome.ABLE);
            SharedClient eve = home.client("eve").rootedAt("there").hello(SharedHome.ABLE);
            SharedClient none = home.client("none").hello("{}");

            String shared = process(ada);
            assertThat(process(ben)).isEqualTo(shared);
            assertThat(process(eve)).isNotEqualTo(shared);
            assertThat(process(none)).isNotIn(shared, process(eve));
            assertThat(ada.call("s__roots", "")).contains("file:///here");
            assertThat(ben.call("s__roots", "")).contains("file:///here");
            assertThat(eve.call("s__roots", "")).contains("file:///there");

            ben.rootedAt("there").rootsChanged();
            assertThat(process(ben)).isEqualTo(process(eve));
            assertThat(ben.call("s__roots", "")).contains("file:///there");
            assertThat(ada.call("s__roots", "")).contains("file:///here");
        }
    }

    @Test
    void late_question_reaches_no_other_client() {
        try (SharedHome home = home()) {
            SharedClient ada = home.client("ada").hello(SharedHome.ABLE);
            SharedClient ben = home.client("ben").hello(SharedHome.ABLE);
            process(ben);
            ada.call("s__late", "of ada");
            ben.call("s__slow", "in flight meanwhile");

            assertThat(ada.questions()).isEmpty();
            assertThat(ben.questions()).isEmpty();
            assertThat(process(ada)).isNotEqualTo(process(ben));
        }
    }

    @Test
    void state_that_a_client_loses_by_its_own_process_is_reported_once() {
        try (SharedHome home = home()) {
            SharedClient ada = home.client("ada").hello(SharedHome.ABLE);
            SharedClient ben = home.client("ben").hello(SharedHome.ABLE);
            process(ada);
            process(ben);
            ada.call("s__ask", "");

            JsonView first = ben.await(ben.sendCall("s__echo", "x"));
            JsonView second = ben.await(ben.sendCall("s__echo", "x"));
            assertThat(Objects.requireNonNull(first.path("result", "_meta", "fusebox/restarted"))
                            .string("reason"))
                    .isEqualTo("isolated");
            assertThat(second.path("result", "_meta")).isNull();
        }
    }

    @Test
    void killed_gateway_costs_the_calls_that_were_sent_and_nothing_else() throws IOException {
        Path record = folder.resolve("record");
        try (SharedHome home = new SharedHome(folder)
                .server("s", ",\"env\":{\"RECORD\":\"" + record + "\"}")
                .save()) {
            SharedClient ada = home.client("ada").hello("{}");
            SharedClient ben = home.client("ben").hello("{}");
            process(ada);
            process(ben);
            String held = ada.sendCall("s__held", "lost");
            // Before that, the connector may not have sent it yet, and would send it to the next gateway.
            eventually("the call is in flight", LONG, () -> Files.exists(folder.resolve("record.held")));
            SharedHome.signal(home.gateway(), "KILL");
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                sent.add(ben.sendCall("s__once", "call " + i));
            }
            String list = ada.send("tools/list", "{}");

            JsonView error = Objects.requireNonNull(SharedClient.error(ada.await(held)));
            assertThat(error.string("code")).isEqualTo("outcome_unknown");
            assertThat(error.string("outcome")).isEqualTo("unknown");
            assertThat(error.string("server")).isEqualTo("s");
            assertThat(error.string("tool")).isEqualTo("held");
            assertThat(ada.await(list).path("result", "tools")).isNotNull();
            Set<String> executed = new HashSet<>();
            for (int i = 0; i < sent.size(); i++) {
                JsonView answer = ben.await(sent.get(i));
                if (SharedClient.error(answer) == null) {
                    executed.add("call " + i);
                }
            }
            executed.add(ben.call("s__once", "afterwards"));
            assertThat(Files.readAllLines(record)).doesNotHaveDuplicates().containsAll(executed);
            assertThat(ada.isAlive() && ben.isAlive()).isTrue();
            assertThat(process(ada)).isEqualTo(process(ben));
        }
    }

    @Test
    void newer_release_takes_over_and_the_older_gateway_ends_when_its_calls_are_answered() {
        try (SharedHome home = home()) {
            List<String> build = List.of(home.build("b1", 1_000_000));
            SharedClient old = home.client("old", folder, build).hello("{}");
            assertThat(process(home.client("other", folder, build).hello("{}"))).isEqualTo(process(old));
            long before = home.gateway();
            String slow = old.sendCall("s__slow", "goes on");
            SharedClient next = home.client("next", folder, List.of(home.build("b2", 2_000_000)))
                    .hello("{}");

            assertThat(process(next)).isNotEmpty();
            assertThat(SharedClient.text(old.await(slow))).isEqualTo("goes on");
            eventually("the older gateway has ended", LONG, () -> !SharedHome.isRunning(before));
            assertThat(process(old)).isEqualTo(process(next));
            home.gateway();
        }
    }

    @Test
    void client_with_a_process_of_its_own_stays_on_the_older_gateway_until_it_ends() {
        try (SharedHome home =
                new SharedHome(folder).server("s", ",\"isolation\":\"session\"").save()) {
            SharedClient old = home.client("old", folder, List.of(home.build("b1", 1_000_000)))
                    .hello("{}");
            String own = process(old);
            long before = home.gateway();
            SharedClient next = home.client("next", folder, List.of(home.build("b2", 2_000_000)))
                    .hello("{}");
            process(next);
            // The older gateway looks every second.
            assertThat(old.call("s__slow", "")).isEmpty();
            assertThat(process(old)).isEqualTo(own);
            assertThat(home.gateways()).hasSize(2);

            old.leave();
            eventually("the older gateway has ended", LONG, () -> !SharedHome.isRunning(before));
            assertThat(next.call("s__echo", "goes on")).isEqualTo("goes on");
        }
    }

    /// Connectors look every five seconds at a gateway that owes an answer, and replace one that is silent for ten.
    @Test
    void gateway_is_not_replaced_because_its_client_was_silent() {
        try (SharedHome home = home()) {
            SharedClient ada = home.client("ada").hello("{}");
            process(ada);
            long gateway = home.gateway();
            throughout("the connector runs", Duration.ofSeconds(11), ada::isAlive);
            assertThat(ada.call("s__slower", "answered")).isEqualTo("answered");
            assertThat(home.gateway()).isEqualTo(gateway);
        }
    }

    @Test
    void frozen_gateway_is_replaced() {
        try (SharedHome home = home()) {
            SharedClient ada = home.client("ada").hello("{}");
            process(ada);
            long frozen = home.gateway();
            SharedHome.signal(frozen, "STOP");
            try {
                String stuck = ada.sendCall("s__echo", "stuck");
                SharedClient ben = home.client("ben").hello("{}");
                assertThat(ben.call("s__echo", "served")).isEqualTo("served");
                assertThat(SharedClient.text(ada.await(stuck))).contains("may have been executed");
                assertThat(ada.call("s__echo", "again")).isEqualTo("again");
            } finally {
                SharedHome.signal(frozen, "CONT");
            }
            eventually("the frozen gateway has ended", LONG, () -> !SharedHome.isRunning(frozen));
        }
    }

    @Test
    void gateway_over_http_is_the_shared_gateway_of_its_file() throws IOException {
        try (SharedHome home = home();
                SharedHome.HttpGateway gateway = home.overHttp()) {
            SharedClient ada = home.client("ada").hello("{}");
            SharedClient ben = home.client("ben").hello("{}");
            String shared = process(ada);
            assertThat(process(ben)).isEqualTo(shared);
            assertThat(gateway.call("s__who")).startsWith(shared + " ");
            assertThat(home.gateways()).containsExactly(gateway.pid());
        }
    }

    @Test
    void killed_connector_ends_its_session_only() {
        try (SharedHome home =
                new SharedHome(folder).server("s", ",\"isolation\":\"session\"").save()) {
            SharedClient ada = home.client("ada").hello("{}");
            SharedClient ben = home.client("ben").hello("{}");
            long own = Long.parseLong(process(ada));
            String others = process(ben);
            ada.kill();
            eventually("its process has ended", LONG, () -> !SharedHome.isRunning(own));
            assertThat(process(ben)).isEqualTo(others);
        }
    }

    @Test
    void unsafe_place_of_the_socket_means_a_gateway_of_its_own_and_a_line_that_says_why() throws IOException {
        try (SharedHome home = home()) {
            Files.createDirectory(home.run());
            SharedClient first = home.client("first").hello("{}");
            process(first);
            Path socket;
            try (var files = Files.list(home.run())) {
                socket = files.filter(file -> file.getFileName().toString().matches("shared-.*\\.sock"))
                        .findFirst()
                        .orElseThrow();
            }
            first.leave();
            SharedHome.signal(home.gateway(), "KILL");
            eventually("it has ended", () -> home.gateways().isEmpty());
            Files.delete(socket);
            Files.createSymbolicLink(socket, folder.resolve("elsewhere"));

            SharedClient alone = home.client("alone").hello("{}");
            assertThat(alone.call("s__echo", "served")).isEqualTo("served");
            assertThat(Files.readString(alone.errors()))
                    .contains("fusebox: not sharing a gateway: " + socket + " is not a socket; remove it");
            Files.setPosixFilePermissions(home.run(), PosixFilePermissions.fromString("rwxrwxrwx"));
            Files.delete(socket);
            SharedClient again = home.client("again").hello("{}");
            assertThat(again.call("s__echo", "served")).isEqualTo("served");
            assertThat(Files.getPosixFilePermissions(home.run()))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        }
    }
}
