package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.routing.GatewayClient.Manner;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Two servers with a skill at the same address, of which only the second reads directories, and one without skills.
@Timeout(120)
class SkillsTest {
    private static final String SKILL = "skill://refunds/SKILL.md";

    private final ControlledServer left = server("left", "{}");
    private final ControlledServer right = server("right", "{\"directoryRead\":true}");
    private final ControlledServer without = ControlledServer.of(ControlledServer.DONE);

    @AfterEach
    void close() {
        left.close();
        right.close();
        without.close();
    }

    private static ControlledServer server(String name, String settings) {
        String skill = "{\"uri\":\"" + SKILL + "\",\"frontmatter\":{\"name\":\"refunds\",\"description\":\"" + name
                + "\"},\"resources\":[{\"uri\":\"" + SKILL + "\",\"digest\":\"d\",\"size\":1}]}";
        String own = "{\"uri\":\"skill://of-" + name + "/SKILL.md\",\"frontmatter\":{\"name\":\"of-" + name
                + "\",\"description\":\"" + name + "\"},\"resources\":\"dynamic\"}";
        ControlledServer server = ControlledServer.of(ControlledServer.DONE)
                .offering(
                        "{\"tools\":{},\"resources\":{},\"extensions\":{\"io.modelcontextprotocol/skills\":" + settings
                                + "}}",
                        ",\"tools\":[{\"name\":\"work\",\"inputSchema\":{\"type\":\"object\"}}],\"resources\":[],"
                                + "\"resourceTemplates\":[],\"skills\":[" + skill + "," + own + "],\"skill\":" + skill
                                + ",\"contents\":[{\"uri\":\"" + SKILL + "\",\"text\":\"" + name + "\"}]");
        server.answer(
                "resources/directory/read",
                ControlledServer.Reply.result("{\"resultType\":\"complete\",\"resources\":[{\"uri\":\"" + SKILL
                        + "\",\"name\":\"SKILL.md\"}]}"));
        return server;
    }

    private GatewayHarness gateway() {
        return gateway(ExposurePolicy.proxy());
    }

    private GatewayHarness gateway(ExposurePolicy exposurePolicy) {
        return GatewayHarness.plan()
                .server(TestServer.at("left", left.uri()))
                .server(TestServer.at("right", right.uri()))
                .server(TestServer.at("without", without.uri()))
                .exposure(exposurePolicy)
                .open();
    }

    private static GatewayClient client(GatewayHarness gateway, Manner manner) {
        for (String server : List.of("left", "right", "without")) {
            gateway.start(server);
        }
        return GatewayClient.of(gateway, manner);
    }

    private static JsonView ask(GatewayClient client, String method, String address) {
        return client.ask(method, ",\"uri\":\"" + address + "\"");
    }

    private static String code(JsonView answer) {
        return Messages.at(answer, "error", "code").json();
    }

    @ParameterizedTest
    @EnumSource
    void skills_of_all_servers_are_listed_and_equal_addresses_told_apart(Manner manner) {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = client(gateway, manner);
            List<JsonView> skills = client.all("skills/list", "skills");

            assertThat(skills)
                    .extracting(skill -> skill.string("uri"))
                    .containsExactly(
                            SKILL,
                            "skill://of-left/SKILL.md",
                            "skill://right/refunds/SKILL.md",
                            "skill://of-right/SKILL.md");
            assertThat(Messages.at(skills.get(2), "resources").json())
                    .contains("\"skill://right/refunds/SKILL.md\"")
                    .doesNotContain("skill://refunds");
            assertThat(Messages.text(skills.get(2), "frontmatter", "name")).isEqualTo("refunds");
            JsonView result = Messages.at(client.ask("skills/list", ""), "result");
            assertThat(result.member("ttlMs") != null).isEqualTo(manner == Manner.STATELESS);
            assertThat(result.member("cacheScope") != null).isEqualTo(manner == Manner.STATELESS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void skill_is_read_at_its_server(Manner manner) {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = client(gateway, manner);
            for (String server : List.of("left", "right")) {
                String address = server.equals("left") ? SKILL : "skill://right/refunds/SKILL.md";
                JsonView skill = Messages.at(ask(client, "skills/get", address), "result", "skill");
                JsonView contents = Messages.at(ask(client, "resources/read", address), "result", "contents")
                        .elements()
                        .getFirst();

                assertThat(Messages.text(skill, "frontmatter", "description")).isEqualTo(server);
                assertThat(skill.string("uri")).isEqualTo(address);
                assertThat(contents.string("text")).isEqualTo(server);
                assertThat(contents.string("uri")).isEqualTo(address);
            }
            assertThat(right.request("skills/get")).contains("\"" + SKILL + "\"");
        }
    }

    @Test
    void directories_are_read_where_the_server_reads_them() {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = client(gateway, Manner.STATELESS);
            JsonView listed = ask(client, "resources/directory/read", "skill://right/refunds");
            JsonView refused = ask(client, "resources/directory/read", "skill://refunds");

            assertThat(Messages.at(listed, "result", "resources").json()).contains("skill://right/refunds/SKILL.md");
            assertThat(code(refused)).isEqualTo("-32602");
            assertThat(refused.json()).contains("left does not read directories");
            assertThat(left.request("resources/directory/read")).isEmpty();
            assertThat(code(ask(client, "skills/get", "skill://without/x/SKILL.md")))
                    .isEqualTo("-32602");
        }
    }

    @Test
    void skill_that_several_servers_might_have_is_not_guessed() {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = client(gateway, Manner.STATELESS);
            JsonView answer = ask(client, "skills/get", "skill://unlisted/SKILL.md");

            assertThat(code(answer)).isEqualTo("-32602");
            assertThat(answer.json()).contains("skill://SERVER/");
            assertThat(left.request("skills/get") + right.request("skills/get")).isEmpty();
        }
    }

    @Test
    void skills_are_announced_with_what_any_server_can_do() {
        try (GatewayHarness gateway = gateway(new ExposurePolicy(false, Set.of(), List.of(new CallTool())))) {
            GatewayClient client = client(gateway, Manner.SESSION);
            JsonView welcome = gateway.client().hello(Messages.PLAIN);

            assertThat(Messages.at(welcome, "result", "capabilities", "extensions")
                            .json())
                    .isEqualTo("{\"io.modelcontextprotocol/skills\":{\"directoryRead\":true}}");
            assertThat(Messages.at(welcome, "result", "capabilities").member("resources"))
                    .isNotNull();
            assertThat(client.all("skills/list", "skills")).hasSize(4);
        }
    }

    @Test
    void unlisted_skill_of_the_only_server_with_skills_is_read_there() {
        String unlisted = "skill://unlisted/SKILL.md";
        right.answer(
                "skills/get",
                ControlledServer.Reply.result("{\"resultType\":\"complete\",\"skill\":{\"uri\":\"" + unlisted
                        + "\",\"resources\":\"dynamic\"}}"));
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.at("right", right.uri()))
                .server(TestServer.at("without", without.uri()))
                .open()) {
            gateway.start("right");
            gateway.start("without");
            GatewayClient client = GatewayClient.of(gateway);

            JsonView answer = ask(client, "skills/get", unlisted);
            assertThat(Messages.text(answer, "result", "skill", "uri")).isEqualTo(unlisted);
            assertThat(right.request("skills/get")).contains("\"" + unlisted + "\"");
        }
    }

    @Test
    void gateway_without_skills_has_no_methods_for_them() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.at("without", without.uri()))
                .open()) {
            gateway.start("without");
            GatewayClient client = GatewayClient.of(gateway);

            assertThat(code(client.ask("skills/list", ""))).isEqualTo("-32601");
            assertThat(code(ask(client, "skills/get", SKILL))).isEqualTo("-32601");
            assertThat(code(ask(client, "resources/directory/read", SKILL))).isEqualTo("-32601");
        }
    }

    @Test
    void changed_skills_are_listed_without_a_notification() {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = client(gateway, Manner.STATELESS);
            client.all("skills/list", "skills");
            left.answer("skills/list", ControlledServer.Reply.result("{\"resultType\":\"complete\",\"skills\":[]}"));

            eventually(
                    "the removed skills are gone",
                    () -> assertThat(client.all("skills/list", "skills"))
                            .extracting(skill -> skill.string("uri"))
                            .doesNotContain("skill://of-left/SKILL.md"));
        }
    }

    @Test
    void server_that_announces_skills_and_has_no_methods_for_them_has_none() {
        left.answer("skills/list", ControlledServer.Reply.error(404, -32601, "unknown"));
        try (GatewayHarness gateway = gateway()) {
            assertThat(client(gateway, Manner.STATELESS).all("skills/list", "skills"))
                    .extracting(skill -> skill.string("uri"))
                    .containsExactly(SKILL, "skill://of-right/SKILL.md");
        }
    }
}
