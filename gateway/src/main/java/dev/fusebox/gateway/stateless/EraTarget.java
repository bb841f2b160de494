package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Reached;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A server whose era is found out at its first use, once for all callers. Thread-safe; [#call] blocks.
///
/// It is asked `server/discover`. A result, or an error that only the stateless era has, settles it. Anything else
/// means the session era, also a death or a silence (revision 2026-07-28, stdio, section "Backward Compatibility").
/// Only if the question provably never reached it, nothing is settled and the next caller asks again.
final class EraTarget implements Target {
    private static final Set<String> MODERN_ERRORS = Set.of("-32020", "-32021", "-32022");
    private static final Duration PROBE = Duration.ofSeconds(3);

    private final World world;
    private final Served served;
    private final RandomGenerator secrets;
    private final AtomicReference<@Nullable Arrival<Finding>> finding = new AtomicReference<>();
    private volatile boolean closed;

    /// What was found out.
    private sealed interface Finding {
        record Settled(Target target) implements Finding {}

        record Unreachable(Fault fault) implements Finding {}
    }

    EraTarget(World world, Served served, RandomGenerator secrets) {
        this.world = world;
        this.served = served;
        this.secrets = secrets;
    }

    @Override
    public Outcome call(Call call, Metadata client) {
        return switch (find(call.patience())) {
            case null -> new Outcome.Failed(stillAsking(call.patience()));
            case Finding.Unreachable(Fault fault) -> new Outcome.Failed(fault);
            case Finding.Settled(Target target) -> target.call(call, client);
        };
    }

    private static Fault stillAsking(Patience patience) {
        return patience.isGivenUp()
                ? Fault.cancelledUnsent()
                : Fault.notSent(FaultCode.TIMEOUT, "the server is still starting; try again in a moment");
    }

    private @Nullable Finding find(Patience patience) {
        Arrival<Finding> known = finding.get();
        if (known == null || known.now() instanceof Finding.Unreachable) {
            Arrival<Finding> mine = new Arrival<>();
            if (finding.compareAndSet(known, mine)) {
                Thread.ofVirtual().name("fusebox-era").start(() -> settle(mine));
                known = mine;
            } else {
                known = finding.get();
            }
        }
        Finding now = known == null ? null : known.now();
        try {
            return now != null || known == null ? now : patience.await(known, world);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /// Brings something in any case: whoever waits would wait for ever, and so would all that come later.
    private void settle(Arrival<Finding> arrival) {
        Finding found = new Finding.Unreachable(
                Fault.notSent(FaultCode.INTERNAL, "finding out the server's era failed inside of the gateway"));
        try {
            found = switch (served.era()) {
                case LEGACY -> new Finding.Settled(session());
                case MODERN -> new Finding.Settled(stateless());
                case AUTO -> probe();
            };
        } finally {
            arrival.bring(found);
        }
        if (closed && found instanceof Finding.Settled(Target target)) {
            target.close();
        }
    }

    private Target session() {
        return new SessionTarget(world, served, secrets);
    }

    private StatelessTarget stateless() {
        return new StatelessTarget(peer -> served.plain(world, peer));
    }

    private Finding probe() {
        StatelessTarget candidate = stateless();
        Message.Request discover = discover();
        Patience patience = new Patience(PROBE, Duration.ZERO, world.ticker());
        Outcome outcome = candidate.call(new Call(discover, patience, Caller.SILENT), metadata(discover));
        if (isModern(outcome)) {
            return new Finding.Settled(candidate);
        }
        candidate.close();
        return outcome instanceof Outcome.Failed(Fault fault) && fault.reached() == Reached.NOT_SENT
                ? new Finding.Unreachable(fault)
                : new Finding.Settled(session());
    }

    private static boolean isModern(Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered(Message.Answer answer))) {
            return false;
        }
        JsonView code = answer.frame().path("error", "code");
        JsonView result = answer.result();
        return code != null
                ? MODERN_ERRORS.contains(code.json())
                : result != null && result.member("supportedVersions") != null;
    }

    private static Message.Request discover() {
        String params =
                "{\"_meta\":{\"" + Metadata.VERSION + "\":\"" + Refusal.REVISION + "\",\"" + Metadata.CAPABILITIES
                        + "\":{},\"" + Metadata.INFO + "\":{\"name\":\"fusebox\",\"version\":\"0.1\"}}}";
        byte[] frame = Frames.request(RequestId.of("discover"), "server/discover", params);
        return (Message.Request) Message.read(frame, 0, frame.length);
    }

    private static Metadata metadata(Message.Request request) {
        return Objects.requireNonNull(Metadata.of(request), "our own request has its metadata");
    }

    @Override
    public void close() {
        closed = true;
        Arrival<Finding> known = finding.get();
        if (known != null && known.now() instanceof Finding.Settled(Target target)) {
            target.close();
        }
    }
}
