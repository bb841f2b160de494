package dev.fusebox.breaker;

/** A listener's place; closing it ends the listening. Thread-safe; closing twice is the same as once. */
public interface Subscription extends AutoCloseable {
    @Override
    void close();
}
