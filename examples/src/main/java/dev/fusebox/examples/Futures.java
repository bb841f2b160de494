package dev.fusebox.examples;

import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Judge;
import dev.fusebox.breaker.Verdict;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/// The asynchronous form, around `java.net.http`: the timeout covers the whole response with its body, and a
/// response with a status of 500 or above is a failure although nothing was thrown.
///
/// Thread-safe; nothing blocks.
public final class Futures implements AutoCloseable {
    private static final int FIRST_SERVER_ERROR = 500;

    private final HttpClient http = HttpClient.newHttpClient();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final CircuitBreaker breaker =
            CircuitBreaker.named("weather").judge(new ByStatus()).build();
    private final Duration timeout;

    Futures(Duration timeout) {
        this.timeout = timeout;
    }

    /// Prints the response of the URL in the argument, or why there is none.
    public static void main(String[] args) {
        run(System.out, URI.create(args[0]), Duration.ofSeconds(2));
    }

    static void run(PrintStream out, URI address, Duration timeout) {
        try (var futures = new Futures(timeout)) {
            out.println(
                    futures.fetch(address).exceptionally(Throwable::getMessage).join());
        }
    }

    // region: futures
    CompletableFuture<String> fetch(URI address) {
        HttpRequest request = HttpRequest.newBuilder(address).build();
        return breaker.callAsync(() -> http.sendAsync(request, BodyHandlers.ofString()), timeout, timer)
                .thenApply(response -> response.statusCode() + " " + response.body());
    }
    // end: futures

    CircuitBreaker breaker() {
        return breaker;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /// A server error is a failure that arrives as a result.
    private static final class ByStatus implements Judge {
        @Override
        public Verdict returned(@Nullable Object result) {
            boolean broken = result instanceof HttpResponse<?> response && response.statusCode() >= FIRST_SERVER_ERROR;
            return broken ? Verdict.failure("http") : Verdict.success();
        }

        @Override
        public Verdict threw(Throwable thrown) {
            return Judge.defaults().threw(thrown);
        }
    }
}
