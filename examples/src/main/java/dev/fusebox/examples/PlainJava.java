package dev.fusebox.examples;

// region: plain-java
import dev.fusebox.breaker.CallRejectedException;
import dev.fusebox.breaker.CircuitBreaker;
import java.io.IOException;

/** Stops calling a service that keeps failing. */
public class PlainJava {
    private static final CircuitBreaker BREAKER = CircuitBreaker.of("jira");

    public static void main(String[] args) throws Exception {
        for (int attempt = 1; attempt <= 6; attempt++) {
            try {
                System.out.println(BREAKER.call(() -> issue("BZ-1234")));
            } catch (CallRejectedException refused) {
                System.out.println(refused.getMessage()); // not called; refused.retryAfter() is the time to wait
            } catch (IOException failed) {
                System.out.println("Attempt " + attempt + " failed: " + failed.getMessage());
            }
        }
    }

    /** Stands in for a call that may fail. */
    private static String issue(String key) throws IOException {
        throw new IOException("no connection for " + key);
    }
}
// end: plain-java
