package dev.fusebox.examples;

import dev.fusebox.breaker.CallRejectedException;
import dev.fusebox.breaker.CircuitBreaker;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;

/// The forms of a call: with and without a result, with and without checked exceptions, with a fallback for
/// rejected calls, and wrapped functions. Thread-safe; does not block.
public final class CallForms {
    private final CircuitBreaker breaker = CircuitBreaker.of("jira");
    private final Queue<String> sent = new ConcurrentLinkedQueue<>();

    public static void main(String[] args) throws Exception {
        new CallForms().run(System.out);
    }

    void run(PrintStream out) throws Exception {
        // region: forms
        String title = breaker.call(() -> title("BZ-1234")); // may throw what the work throws
        int comments = breaker.callUnchecked(() -> comments("BZ-1234")); // no checked exception
        breaker.run(() -> sent.add("a comment")); // no result
        String cached = breaker.call(() -> title("BZ-1235"), refused -> "from the cache");

        Callable<String> decorated = breaker.decorate(() -> title("BZ-1236")); // each call goes through the breaker
        Runnable task = breaker.decorateRunnable(() -> sent.add("another comment")); // for an executor
        // end: forms
        out.println(title + ", " + comments + " comments, " + cached);
        task.run();
        out.println(decorated.call() + ", sent: " + sent);
        breaker.forceOpen("maintenance");
        // region: refused
        try {
            task.run();
        } catch (CallRejectedException refused) {
            out.println(refused.getMessage()); // for people and logs
            out.println(refused.modelMessage()); // for a language model, with alternatives
        }
        // end: refused
    }

    private static String title(String key) throws IOException {
        if (key.isEmpty()) {
            throw new IOException("no such issue");
        }
        return "title of " + key;
    }

    private static int comments(String key) {
        return key.length();
    }
}
