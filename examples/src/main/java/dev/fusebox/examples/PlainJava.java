package dev.fusebox.examples;

import dev.fusebox.breaker.CallRejectedException;
import dev.fusebox.breaker.CircuitBreaker;
import java.io.IOException;
import java.io.PrintStream;

/// A breaker around one call: what a failure looks like, what a refusal looks like, and what to do then.
public final class PlainJava {
    private PlainJava() {}

    public static void main(String[] args) throws Exception {
        run(System.out);
    }

    static void run(PrintStream out) throws Exception {
        // region: plain-java
        CircuitBreaker breaker = CircuitBreaker.of("jira");
        for (int attempt = 1; attempt <= 6; attempt++) {
            try {
                out.println(breaker.call(() -> issue("BZ-1234")));
            } catch (CallRejectedException refused) {
                out.println(refused.getMessage());
                out.println("Retry after " + refused.retryAfter() + "; from the cache: fix the fuse");
            } catch (IOException failed) {
                out.println("Attempt " + attempt + " failed: " + failed.getMessage());
            }
        }
        // end: plain-java
    }

    private static String issue(String key) throws IOException {
        throw new IOException("no connection for " + key);
    }
}
