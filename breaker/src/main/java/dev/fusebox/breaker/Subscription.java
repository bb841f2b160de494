package dev.fusebox.breaker;

/** The registration of a listener; closing it removes the listener. Thread-safe; closing is idempotent. */
public interface Subscription extends AutoCloseable {
    @Override
    void close();
}
