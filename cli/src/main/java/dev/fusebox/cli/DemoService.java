package dev.fusebox.cli;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/// The service of the demo: it answers, or fails, as it was last told to, and says so whenever a call reaches it.
/// Thread-safe; blocks no longer than the screen.
final class DemoService {
    static final String WEATHER = "sunny, 21 degrees";

    private final DemoNarrator teller;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile boolean broken;

    DemoService(DemoNarrator teller) {
        this.teller = teller;
    }

    void breakDown() {
        broken = true;
    }

    void repair() {
        broken = false;
    }

    /// How many calls have reached it.
    int calls() {
        return calls.get();
    }

    String weather(String caller) throws IOException {
        calls.incrementAndGet();
        if (broken) {
            teller.line(caller, "reaches the service, which fails: connection refused");
            throw new IOException("connection refused");
        }
        teller.line(caller, "reaches the service, which answers: " + WEATHER);
        return WEATHER;
    }
}
