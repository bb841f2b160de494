package dev.fusebox.gateway.era;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Who gets which server, and when one is given up. No process is started: a server starts with its first call.
class ExclusiveConnectionsTest {
    private static final Duration IDLE = Duration.ofMinutes(30);

    private final ManualTime time = new ManualTime();
    private final ChildProcesses children = ChildProcesses.open(SingleServerHarness.PLATFORM);
    private final ExclusiveConnections exclusiveConnections =
            new ExclusiveConnections(2, time.platform(), IDLE, this::server);

    private ReconnectingConnection server(String capabilities, ServerMessageHandler serverMessageHandler) {
        var connector = new StdioConnector(SingleServerHarness.PLATFORM, "server", children, ChildSpec.of("cat"));
        return new ReconnectingConnection(SingleServerHarness.PLATFORM, connector, serverMessageHandler, IDLE);
    }

    @AfterEach
    void end() {
        exclusiveConnections.close();
        children.close();
    }

    private ExclusiveConnection taken(String capabilities) {
        return Objects.requireNonNull(exclusiveConnections.take(capabilities), "all are busy");
    }

    @Test
    void an_idle_server_serves_the_next_client_that_can_do_the_same() {
        ExclusiveConnection first = taken("A");
        exclusiveConnections.giveBack(first);
        assertThat(taken("B")).isNotSameAs(first);
        assertThat(taken("A")).isSameAs(first);
        assertThat(time.pending()).isZero();
    }

    @Test
    void when_all_are_busy_there_is_none_until_one_comes_back() {
        ExclusiveConnection first = taken("A");
        taken("A");
        assertThat(exclusiveConnections.take("A")).isNull();
        exclusiveConnections.giveBack(first);
        assertThat(exclusiveConnections.take("A")).isSameAs(first);
    }

    @Test
    void the_one_that_has_been_idle_longest_of_all_makes_room() {
        ExclusiveConnection older = taken("A");
        ExclusiveConnection younger = taken("B");
        exclusiveConnections.giveBack(older);
        exclusiveConnections.giveBack(younger);
        taken("C");
        assertThat(taken("B")).isSameAs(younger);
        assertThat(exclusiveConnections.take("A")).isNull();
    }

    @Test
    void unused_connection_is_closed_after_a_while() {
        ExclusiveConnection first = taken("A");
        exclusiveConnections.giveBack(first);
        time.advance(IDLE.minusMillis(1));
        assertThat(taken("A")).isSameAs(first);
        exclusiveConnections.giveBack(first);
        time.advance(IDLE);
        assertThat(taken("A")).isNotSameAs(first);
        assertThat(time.pending()).isZero();
    }

    @Test
    void one_that_was_ended_leaves_its_place_to_another() {
        ExclusiveConnection first = taken("A");
        taken("A");
        exclusiveConnections.end(first);
        assertThat(taken("A")).isNotSameAs(first);
    }

    @Test
    void no_connection_is_lent_after_close() {
        ExclusiveConnection first = taken("A");
        exclusiveConnections.close();
        exclusiveConnections.giveBack(first);
        assertThat(exclusiveConnections.take("A")).isNull();
        assertThat(time.pending()).isZero();
    }
}
