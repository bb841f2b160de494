package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.PipedClient;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.routing.EitherClient.Way;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A client hears in the handshake which servers there are.
///
/// Over five seconds: each way to connect starts a gateway of its own.
@Tag("process")
@Timeout(120)
class HandshakeInstructionsTest {
    private static final ExposurePolicy OWN = new ExposurePolicy(false, Set.of(), List.of(new CallTool()));

    private static @Nullable JsonView instructions(GatewayHarness gateway, Way way) {
        if (!way.inSession()) {
            try (EitherClient client = new EitherClient(gateway, way)) {
                return client.ask("server/discover", "").path("result", "instructions");
            }
        }
        if (way.isHttp()) {
            return told(gateway.client());
        }
        try (PipedClient client = gateway.onlyClient()) {
            return told(client.wire());
        }
    }

    private static @Nullable JsonView told(Wire wire) {
        return wire.hello(Messages.PLAIN).path("result", "instructions");
    }

    @ParameterizedTest
    @EnumSource
    void handshake_names_the_servers_and_starts_none(Way way) {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("jira", SingleServerHarness.script(Era.LEGACY))
                .server("github", SingleServerHarness.script(Era.MODERN))
                .exposure(OWN)
                .open()) {
            assertThat(Messages.text(Objects.requireNonNull(instructions(gateway, way))))
                    .isEqualTo("Find tools of these servers with mcp_discover, and call them with mcp_call:"
                            + "\n- jira: tools not known yet\n- github: tools not known yet");
            assertThat(gateway.processes()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void known_tools_are_counted_and_the_first_are_named_without_hidden_characters(Way way) {
        String tools = "[" + EitherClient.tool("fi\\u202end") + "," + EitherClient.tool("x".repeat(200)) + "]";
        try (GatewayHarness gateway = GatewayHarness.plan()
                .process("files", EitherClient.server(tools, "pass"))
                .server("jira", SingleServerHarness.script(Era.LEGACY))
                .exposure(OWN)
                .open()) {
            GatewayClient gatewayClient = GatewayClient.of(gateway);
            gatewayClient.call("mcp_call", "{\"server\":\"jira\",\"tool\":\"echo\",\"args\":{\"text\":\"a\"}}");
            gatewayClient.call("mcp_call", "{\"server\":\"files\",\"tool\":\"none\"}");
            gateway.eventuallyKnows("jira");
            gateway.eventuallyKnows("files");
            String told = Messages.text(Objects.requireNonNull(instructions(gateway, way)));
            List<String> lines = told.lines().toList();
            assertThat(lines)
                    .hasSize(3)
                    .allSatisfy(line -> assertThat(line.length()).isLessThan(120));
            assertThat(lines.get(1)).startsWith("- files: ").endsWith("...");
            assertThat(lines.get(2))
                    .startsWith("- jira: ")
                    .contains("tools: ", "echo, ")
                    .endsWith(", ...");
            assertThat(HiddenCharacters.hasHidden(told)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void disabled_servers_are_not_named(Way way) {
        UnavailableServer off =
                new UnavailableServer("off", CallFailure.policy(ErrorId.SERVER_DISABLED, "off is disabled"));
        CallFailure missing = CallFailure.policy(ErrorId.CONNECT_FAILED, "TOKEN is missing");
        UnavailableServer waiting = new UnavailableServer("waiting", missing, ServerStatus.AWAITING_USER_CONFIG);
        try (GatewayHarness gateway =
                GatewayHarness.plan().absent(off).absent(waiting).exposure(OWN).open()) {
            assertThat(Messages.text(Objects.requireNonNull(instructions(gateway, way))))
                    .endsWith(":\n- waiting: tools not known yet");
        }
        try (GatewayHarness gateway =
                GatewayHarness.plan().absent(off).exposure(OWN).open()) {
            assertThat(Messages.text(Objects.requireNonNull(instructions(gateway, way))))
                    .isEqualTo("All servers are disabled.");
        }
    }

    @Test
    void of_many_servers_the_first_are_named_and_the_others_counted() {
        GatewayHarness.Plan plan = GatewayHarness.plan().exposure(OWN);
        for (int i = 0; i < 70; i++) {
            plan.process("s" + i, ChildSpec.of("false"));
        }
        try (GatewayHarness gateway = plan.open()) {
            String told = Messages.text(Objects.requireNonNull(instructions(gateway, Way.SESSION_HTTP)));
            assertThat(told).contains("\n- s24: ").endsWith("\n- and 45 more").doesNotContain("s25");
            assertThat(gateway.processes()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void client_that_lists_all_tools_gets_no_instructions(Way way) {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("jira", SingleServerHarness.script(Era.LEGACY))
                .open()) {
            assertThat(instructions(gateway, way)).isNull();
        }
    }
}
