package dev.fusebox.gateway.pool;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Connection;
import dev.fusebox.client.Connector;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.PoolRules;
import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The number of places follows the size of real processes; a test moves the time between measurements.
///
/// Over five seconds: dozens of processes start and are measured.
@Tag("process")
@Timeout(60)
class PoolSizingTest {
    private static final long MEBIBYTE = 1L << 20;
    private static final long MEMORY = 24L << 30;
    private static final Platform REAL = Platform.system();

    /// Says something when it has grown, and ends with its input.
    private static final String SERVER =
            "import sys; b = b'x' * (MEBIBYTES << 20); print(len(b), flush=True); sys.stdin.read()";

    private final ManualTime time = new ManualTime();
    private final ChildProcesses children = ChildProcesses.open(REAL);
    private final Pool pool = new Pool(REAL, "pool.poolSize", PoolRules.USUAL);
    private final PoolSizing sizing = new PoolSizing(time.platform().withProcesses(REAL.processes()), pool);
    private final List<Connection> open = new ArrayList<>();

    @AfterEach
    void end() {
        open.forEach(Connection::close);
        sizing.close();
        pool.close();
        children.close();
        assertThat(time.pending()).isZero();
    }

    private void follow(long memory, int least) {
        sizing.follow(new PoolSizing.Bounds(PoolRules.USUAL.withSize(96), memory, least));
    }

    /// So many processes that take so much each.
    private void start(int processes, int mebibytes) {
        for (int i = 0; i < processes; i++) {
            Borrower borrower = TestBorrower.called("server " + open.size());
            ChildSpec spec = ChildSpec.of("python3", "-S", "-E", "-c", SERVER.replace("MEBIBYTES", "" + mebibytes));
            Connector connector = pool.pooled(new StdioConnector(REAL, "server", children, spec), () -> borrower);
            if (!(connector.open(ServerMessageHandler.NONE)
                    instanceof Connector.Opened.Connected(Connection connection))) {
                throw new AssertionError("not connected");
            }
            open.add(connection);
            eventually("the process has grown", () -> connection.dropped() > 0);
        }
    }

    private int places() {
        return pool.snapshot().size();
    }

    @Test
    void places_are_those_of_unknown_processes_until_some_were_measured() {
        follow(MEMORY, 0);
        assertThat(places()).isEqualTo(96);
        time.advance(Duration.ofMinutes(5));
        assertThat(places()).isEqualTo(96);
    }

    @Test
    void small_processes_make_more_places() {
        follow(MEMORY, 0);
        start(12, 1);
        time.advance(Duration.ofSeconds(29));
        assertThat(places()).isEqualTo(96);
        time.advance(Duration.ofSeconds(1));
        assertThat(places()).isBetween(200, 400);
    }

    @Test
    void large_processes_make_fewer_places_but_twenty_at_least_and_one_alone_does_not_decide() {
        follow(MEMORY, 0);
        start(1, 600);
        time.advance(Duration.ofSeconds(30));
        assertThat(places()).isBetween(30, 40);
        start(2, 600);
        time.advance(Duration.ofSeconds(30));
        assertThat(places()).isBetween(20, 25);
    }

    @Test
    void configured_number_of_places_stays() {
        follow(0, 0);
        start(3, 1);
        time.advance(Duration.ofMinutes(5));
        assertThat(places()).isEqualTo(96);
    }

    @Test
    void servers_that_cannot_be_evicted_have_slots_regardless_of_process_size() {
        follow(MEMORY, 70);
        start(1, 600);
        time.advance(Duration.ofSeconds(30));
        assertThat(places()).isEqualTo(70);
    }

    @Test
    void measured_process_size_survives_a_configuration_change() {
        follow(MEMORY, 0);
        start(12, 1);
        time.advance(Duration.ofSeconds(30));
        int learned = places();
        follow(0, 0);
        assertThat(places()).isEqualTo(96);
        follow(MEMORY, 0);
        assertThat(places()).isEqualTo(learned);
    }

    @Test
    void size_of_a_process_is_its_share_of_memory() {
        start(1, 100);
        long leader = pool.processes().getFirst();
        long bytes = REAL.processes().list().stream()
                .filter(entry -> entry.session() == leader)
                .mapToLong(REAL.processes()::memoryOf)
                .sum();
        assertThat(bytes).isBetween(100 * MEBIBYTE, 130 * MEBIBYTE);
    }
}
