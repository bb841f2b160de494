package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Patience;
import dev.fusebox.gateway.stateless.Hearing;
import java.util.HashMap;
import java.util.Map;

/// The resources of one server that clients watch, each as long as anybody does. Thread-safe; [#watch] and [#leave]
/// block until the server has said what it tells from now on.
final class Watched {
    private final Hearing hearing;
    private final Map<String, Integer> watchers = new HashMap<>();
    private boolean begun;

    Watched(Hearing hearing) {
        this.hearing = hearing;
    }

    /// There is a connection to hear something on; from now on changes of the server's lists are heard.
    void begin() {
        if (isFirst()) {
            hearing.begin();
        }
    }

    private synchronized boolean isFirst() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    /// Hears what was lost with a connection again.
    void resume() {
        hearing.resume();
    }

    /// One client more watches it; false if the server does not tell of it.
    boolean watch(String address, Patience patience) {
        boolean heard = hearing.watch(address, patience);
        if (heard) {
            synchronized (this) {
                watchers.merge(address, 1, Integer::sum);
            }
        }
        return heard;
    }

    /// One client less watches it.
    void leave(String address, Patience patience) {
        boolean nobody;
        synchronized (this) {
            nobody = watchers.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1) == null;
        }
        if (nobody) {
            hearing.leave(address, patience);
        }
    }

    void close() {
        hearing.close();
    }
}
