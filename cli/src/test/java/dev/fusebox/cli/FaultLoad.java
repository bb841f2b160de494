package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.cli.WholeGateway.Client;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A load of calls with small faults through one gateway, all cases in parallel, with their results. Thread-safe;
/// measuring blocks until the last caller is done.
final class FaultLoad {
    /// How many of a hundred calls have the fault of their case.
    private static final int PERCENT = 5;

    private static final Platform PLATFORM = Platform.system();
    private static final int CALLERS = 6;
    private static final int CALLS_EACH = 60;
    private static final int CALLS_OF_POISON = 7;
    private static final int MAX_HANGING = 50;
    private static final List<String> TOOLS = List.of("echo", "look", "read");
    private static final List<String> SHARES = List.of("hanging", "crash");
    private static final List<String> POISONED = List.of("poison-hanging", "poison-crash");
    private static final Executor EXECUTOR = task -> Thread.ofVirtual().start(task);

    private final List<Client> clients;
    private final long seed;

    /// @param clients who take turns
    FaultLoad(List<Client> clients, long seed) {
        this.clients = clients;
        this.seed = seed;
    }

    /// Servers for all cases, as a configuration.
    static String configuration(Path folder) {
        // Shorter than the default, which is longer than the test.
        String quick = ",\"timeoutMs\":1500";
        // The promise speaks of five minutes, ten times the default; the test takes some twenty seconds.
        String scaled = quick + ",\"breaker\":{\"cooldownMs\":2000},\"toolBreaker\":{\"cooldownMs\":2000}";
        String brief = ",\"breaker\":{\"cooldownMs\":2000}";
        List<String> servers = new ArrayList<>();
        SHARES.forEach(name -> servers.add(server(folder, name, servers.size() % 2 == 0, scaled)));
        // Only calls in flight at a crash may fail here, so the others get time for a slow restart.
        String patient = ",\"timeoutMs\":4000";
        POISONED.forEach(name -> servers.add(server(folder, name, servers.size() % 2 == 0, patient)));
        List.of("recovered", "probed")
                .forEach(name -> servers.add(server(folder, name, servers.size() % 2 == 0, brief)));
        return "{\"mcpServers\":{" + String.join(",", servers) + "},\"http\":{\"port\":0}}";
    }

    private static String server(Path folder, String name, boolean isModern, String more) {
        return new UnreliableServer(name, sick(folder, name), isModern, more).configuration();
    }

    private static Path sick(Path folder, String server) {
        return folder.resolve(server + ".sick");
    }

    private Client client(int number) {
        return clients.get(number % clients.size());
    }

    /// Waits until all tools are known, as nothing is attributed to others, and until each server has answered a
    /// call: the first ones take long while several gateways start.
    void awaitTools() {
        eventually(
                "all tools are listed",
                () -> assertThat(client(0).ask("tools/list", "").json())
                        .contains("poison-crash__other", "probed__echo"));
        for (String server : Stream.concat(SHARES.stream(), POISONED.stream()).toList()) {
            eventually(
                    server + " answers",
                    () -> assertThat(code(client(1).call(server + "__echo", UnreliableServer.answered(1))))
                            .isEmpty());
        }
    }

    // ---- Counting

    /// What became of the calls of one case.
    static final class Tally {
        private int made;
        private int faulty;
        private int answered;
        private int inFlightAtCrash;
        private final Map<String, Integer> failures = new TreeMap<>();

        private synchronized void note(JsonView answer, boolean isFaulty) {
            JsonView error = fault(answer);
            made++;
            faulty += isFaulty ? 1 : 0;
            if (code(answer).isEmpty()) {
                answered++;
            } else if (!isFaulty
                    && code(answer).equals("server_crashed")
                    && error != null
                    && "unknown".equals(error.string("outcome"))) {
                inFlightAtCrash++;
            } else {
                failures.merge((isFaulty ? "faulty: " : "") + code(answer), 1, Integer::sum);
            }
        }

        synchronized void add(Tally other) {
            made += other.made;
            faulty += other.faulty;
            answered += other.answered;
            inFlightAtCrash += other.inFlightAtCrash;
            other.failures.forEach((code, count) -> failures.merge(code, count, Integer::sum));
        }

        /// The share that the promise is about, by the share of faulty calls that there really were.
        synchronized double goal() {
            return 0.9 * (made - faulty) / made;
        }

        /// Of all calls but those that were in flight when another call crashed the server.
        synchronized double share() {
            return (double) answered / (made - inFlightAtCrash);
        }

        /// Of all calls.
        synchronized double shareOfAll() {
            return (double) answered / made;
        }

        @Override
        public synchronized String toString() {
            return "%d of %d answered, %d in flight at a crash, failures %s"
                    .formatted(answered, made, inFlightAtCrash, failures);
        }
    }

    static @Nullable JsonView fault(JsonView answer) {
        return answer.path("result", "_meta", "fusebox/error");
    }

    /// Empty if the call was answered.
    private static String code(JsonView answer) {
        JsonView fault = fault(answer);
        JsonView error = answer.member("error");
        String other = error == null ? "" : error.json();
        return fault == null ? other : Objects.requireNonNull(fault.string("code"));
    }

    // ---- A share of all calls

    /// So many calls, one after the other, with a pause before each.
    private static CompletableFuture<Void> calls(int count, int pauseMillis, Runnable call) {
        return count == 0
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.runAsync(
                                call, CompletableFuture.delayedExecutor(pauseMillis, MILLISECONDS, EXECUTOR))
                        .thenCompose(done -> calls(count - 1, pauseMillis, call));
    }

    private RandomGenerator random(int number) {
        return RandomGeneratorFactory.getDefault().create(seed + number);
    }

    /// A share of the calls to all tools meets the fate that the server is named for.
    Tally share(String fate) {
        Tally tally = new Tally();
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int number = 0; number < CALLERS; number++) {
            Client client = client(number);
            RandomGenerator random = random(1_000 * fate.length() + number);
            callers.add(calls(CALLS_EACH, 100 + 10 * number, () -> {
                boolean isFaulty = random.nextInt(100) < PERCENT;
                String arguments =
                        isFaulty ? "{\"fate\":\"" + fate + "\"}" : UnreliableServer.answered(random.nextInt(1, 50));
                String tool = TOOLS.get(random.nextInt(TOOLS.size()));
                tally.note(client.call(fate + "__" + tool, arguments), isFaulty);
            }));
        }
        callers.forEach(CompletableFuture::join);
        return tally;
    }

    // ---- One poison tool

    /// @param others calls of other tools
    /// @param last the code of the last call of the poison tool
    record Poisoned(Tally others, String last) {}

    /// One tool always meets its fate, and others are called beside it.
    Poisoned poisoned(String fate) {
        Tally others = new Tally();
        String server = "poison-" + fate;
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int number = 0; number < CALLERS; number++) {
            Client client = client(number);
            RandomGenerator random = random(2_000 * fate.length() + number);
            String tool = server + "__" + TOOLS.get(number % TOOLS.size());
            callers.add(calls(
                    CALLS_EACH,
                    100 + 10 * number,
                    () -> others.note(client.call(tool, UnreliableServer.answered(random.nextInt(1, 50))), false)));
        }
        List<String> codes = new ArrayList<>();
        String arguments = "{\"fate\":\"" + fate + "\"}";
        callers.add(calls(
                CALLS_OF_POISON, 1_000, () -> codes.add(code(client(1).call(server + "__other", arguments)))));
        callers.forEach(CompletableFuture::join);
        return new Poisoned(others, codes.getLast());
    }

    // ---- After an outage

    /// A server that cannot be started until its breaker is open, and can be from then on.
    private <T> T afterOutage(Path folder, String server, Supplier<T> work) {
        Client client = client(0);
        try {
            Files.createFile(sick(folder, server));
            client.call(server + "__other", UnreliableServer.crash());
            AtomicLong wait = new AtomicLong();
            eventually("the breaker is open", () -> {
                JsonView refusal = client.call(server + "__echo", "{}");
                assertThat(code(refusal)).isEqualTo("breaker_open");
                wait.set(retryAfterMillis(refusal));
            });
            Files.delete(sick(folder, server));
            Executor cooldownOver = CompletableFuture.delayedExecutor(wait.get() + 50, MILLISECONDS, EXECUTOR);
            return CompletableFuture.supplyAsync(work, cooldownOver).join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long retryAfterMillis(JsonView refusal) {
        JsonView fault = fault(refusal);
        JsonView millis = fault == null ? null : fault.member("retryAfterMs");
        return millis == null ? 0 : Long.parseLong(millis.json());
    }

    /// A call that is still out when the gateway ends.
    private void hang(Client client, String server) {
        Supplier<JsonView> call = () -> client.call(server + "__other", UnreliableServer.hanging());
        var _ = CompletableFuture.supplyAsync(call, EXECUTOR);
    }

    /// The longest time that a quick call takes beside fifty that hang, just after a recovery.
    Duration longestAfterRecovery(Path folder) {
        return afterOutage(folder, "recovered", () -> {
            assertThat(code(client(0).call("recovered__echo", "{}"))).isEmpty();
            for (int number = 0; number < MAX_HANGING; number++) {
                hang(client(number), "recovered");
            }
            AtomicLong longest = new AtomicLong();
            calls(20, 50, () -> {
                        long begun = PLATFORM.ticker().nanos();
                        assertThat(code(client(1).call("recovered__echo", "{}")))
                                .isEmpty();
                        longest.accumulateAndGet(PLATFORM.ticker().nanos() - begun, Math::max);
                    })
                    .join();
            return Duration.ofNanos(longest.get());
        });
    }

    /// @param known how long it took until a call was answered
    /// @param first the same for the first call, answered or refused
    /// @param retryAfterMillis the longest that a refusal meanwhile told
    record Probed(Duration known, Duration first, long retryAfterMillis) {}

    /// The first probe hangs.
    Probed whileProbeHangs(Path folder) {
        return afterOutage(folder, "probed", () -> {
            long begun = PLATFORM.ticker().nanos();
            hang(client(0), "probed");
            Path reached = Path.of(sick(folder, "probed") + ".hanging");
            eventually("the probe has reached the server", () -> Files.exists(reached));
            AtomicLong first = new AtomicLong();
            AtomicLong longest = new AtomicLong();
            eventually("a call is answered", () -> {
                JsonView answer = client(1).call("probed__echo", "{}");
                first.compareAndSet(0, PLATFORM.ticker().nanos() - begun);
                longest.accumulateAndGet(retryAfterMillis(answer), Math::max);
                assertThat(code(answer)).isEmpty();
            });
            long known = PLATFORM.ticker().nanos() - begun;
            return new Probed(Duration.ofNanos(known), Duration.ofNanos(first.get()), longest.get());
        });
    }
}
