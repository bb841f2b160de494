package dev.fusebox.gateway;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.Promise;
import dev.fusebox.client.SingleFlight;
import dev.fusebox.client.http.RequestAuthorizer;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Authorizer with the headers that a program prints (`headersHelper`), one run for all callers. Thread-safe;
/// blocks while there are no valid headers, ten seconds at most.
///
/// ```
/// no headers, or expired            -> the program is run
/// 401 with headers                  -> the program is run once more, the request is sent again
/// 401 with headers of that run      -> AUTH failure; the next run is ten seconds later at the earliest
/// the program fails                 -> AUTH failure, for five seconds
/// ```
final class ProgramAuthorizer implements RequestAuthorizer {
    /// Users who have mended a program do not wait long for it, and calls do not start a broken one all the time.
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(5);

    private static final Duration REJECTION_PAUSE = Duration.ofSeconds(10);
    private static final int UNAUTHORIZED = 401;

    private final Platform platform;
    private final String server;
    private final HeadersProgram program;
    private final Consumer<PrintedHeaders> listener;
    private final SingleFlight<Run> runs = new SingleFlight<>(
            "fusebox-headers-helper", new Run.Failed("failed because of an internal error", Instant.EPOCH));
    private volatile @Nullable Run last;
    private volatile @Nullable Object accepted;
    /// The headers that were requested because the server rejected the ones before; null for none.
    private volatile @Nullable Object forced;

    /// How the last run of the program ended. Immutable.
    private sealed interface Run {
        Instant at();

        record Printed(PrintedHeaders headers, Instant at) implements Run {}

        record Failed(String reason, Instant at) implements Run {}
    }

    /// @param listener is given the headers of each run, which contain secrets
    ProgramAuthorizer(Platform platform, String server, HeadersProgram program, Consumer<PrintedHeaders> listener) {
        this.platform = platform;
        this.server = server;
        this.program = program;
        this.listener = listener;
    }

    @Override
    public Authorization authorize(LongSupplier left) {
        Run known = last;
        Run current = known != null && isCurrent(known) ? known : next(left);
        return switch (current) {
            case Run.Printed(PrintedHeaders headers, Instant _) -> headers.granted();
            case Run.Failed(String reason, Instant _) ->
                new Authorization.Refused(failure(reason, Evidence.NONE, Delivery.NOT_SENT));
        };
    }

    private boolean isCurrent(Run run) {
        Instant now = now();
        return switch (run) {
            case Run.Printed(PrintedHeaders headers, Instant _) -> headers.isUsable(now);
            case Run.Failed failed ->
                !now.isBefore(failed.at()) && now.isBefore(failed.at().plus(FAILURE_PAUSE));
        };
    }

    @Override
    public void accepted(Authorization.Granted used) {
        if (!used.credential().equals(accepted)) {
            accepted = used.credential();
        }
    }

    @Override
    public Reaction rejected(Authorization.Granted used, AuthRejection rejection, LongSupplier left) {
        if (rejection.status() != UNAUTHORIZED) {
            return new Reaction.NotConcerned();
        }
        Evidence evidence = Evidence.ofHttp(rejection.status(), null);
        Run known = last;
        boolean isNewest =
                known instanceof Run.Printed printed && printed.headers().equals(used.credential());
        if (isNewest && known != null && isRejectedAgain(used, known)) {
            String reason = "the server rejects headers that were just printed";
            return new Reaction.Fail(failure(reason, evidence, Delivery.REJECTED));
        }
        Run renewed = isNewest || known == null || !isCurrent(known) ? next(left) : known;
        return switch (renewed) {
            case Run.Printed(PrintedHeaders headers, Instant _) -> {
                if (isNewest) {
                    forced = headers;
                }
                yield new Reaction.SendAgain(headers.granted());
            }
            case Run.Failed(String reason, Instant _) ->
                new Reaction.Fail(failure(reason, evidence, Delivery.REJECTED));
        };
    }

    private boolean isRejectedAgain(Authorization.Granted used, Run run) {
        Object credential = used.credential();
        return credential.equals(forced)
                && !credential.equals(accepted)
                && now().isBefore(run.at().plus(REJECTION_PAUSE));
    }

    // ---- Runs

    private Run next(LongSupplier left) {
        Promise<Run> run = runs.join(this::run);
        try {
            Duration limit = Duration.ofNanos(Math.max(0, left.getAsLong()));
            Run ended = run.await(platform, limit, () -> left.getAsLong() <= 0);
            return ended == null ? new Run.Failed("timed out waiting for it", now()) : ended;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Run.Failed("interrupted while waiting for it", now());
        }
    }

    private Run run() throws InterruptedException {
        Run ended;
        try {
            PrintedHeaders headers = program.run();
            listener.accept(headers);
            ended = new Run.Printed(headers, now());
        } catch (IOException failed) {
            ended = new Run.Failed(String.valueOf(failed.getMessage()), now());
        }
        last = ended;
        return ended;
    }

    private Instant now() {
        return platform.wallClock().instant();
    }

    private CallFailure failure(String reason, Evidence evidence, Delivery delivery) {
        String status = evidence.httpStatus() == null ? "" : " (HTTP " + evidence.httpStatus() + ")";
        String message = "Authentication failed" + status + ": the program " + program.name() + " of headersHelper of "
                + server + ": " + reason + "; run it in a terminal to see what it prints";
        return CallFailure.of(ErrorId.HEADERS_HELPER_FAILED, message)
                .with(evidence)
                .withDelivery(delivery);
    }

    @Override
    public Redactor secrets() {
        return last instanceof Run.Printed(PrintedHeaders headers, Instant _) ? headers.secrets() : Redactor.NONE;
    }
}
