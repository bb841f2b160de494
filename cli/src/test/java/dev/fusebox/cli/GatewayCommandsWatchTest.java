package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.AdminSocket;
import dev.fusebox.gateway.admin.AdminControls;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What `status --watch` shows.
@Tag("process")
@Timeout(120)
class GatewayCommandsWatchTest extends GatewayCommandsSteps {
    @Test
    void watch_prints_only_changes() {
        CommandOutput output = new CommandOutput(print(out), print(err), false);
        Watch lines = new Watch(output, false);
        assertThat(lines.show("gateway 1\n  a  online\n  b  idle\n")).isTrue();
        assertThat(lines.show("gateway 1\n  a  online\n  b  idle\n")).isTrue();
        assertThat(lines.show("gateway 1\n  a  offline\n  b  idle\n")).isTrue();
        assertThat(out()).isEqualTo("gateway 1\n  a  online\n  b  idle\n  a  offline\n");
        out.reset();
        Watch place = new Watch(output, true);
        place.show("gateway 1\n");
        place.show("gateway 2\n");
        assertThat(out()).isEqualTo("\u001b[H\u001b[Jgateway 1\n\u001b[H\u001b[Jgateway 2\n");
        output.out().close();
        assertThat(lines.show("more\n")).isFalse();
    }

    @Test
    void watch_continues_while_breakers_change() throws Exception {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            CommandOutput output = new CommandOutput(print(out), print(err), false);
            Thread watching =
                    Thread.ofVirtual().start(() -> new GatewayCommands(platform).status(List.of("--watch"), output));
            eventually("jira is shown as idle", () -> assertThat(out()).contains("jira  idle"));
            act("jira", AdminControls.Action.CONNECT);
            eventually("jira is shown as offline", () -> assertThat(out()).contains("jira  offline"));
            watching.interrupt();
            assertThat(watching.join(Duration.ofSeconds(30))).isTrue();
            adminSocket.drain();
        }
    }
}
