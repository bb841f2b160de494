package dev.fusebox.demo;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/// The service behind the breaker of the demo: answers or fails, as it was last set to, and prints each call that
/// reaches it. Thread-safe; blocks only while the narrator prints.
final class DemoService {
    static final String WEATHER = "sunny, 21 degrees";

    private final DemoNarrator narrator;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile boolean broken;

    DemoService(DemoNarrator narrator) {
        this.narrator = narrator;
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
            narrator.line(caller, "reaches the service, which fails: connection refused");
            throw new IOException("connection refused");
        }
        narrator.line(caller, "reaches the service, which answers: " + WEATHER);
        return WEATHER;
    }
}
