package dev.fusebox.client.lane;

/// How many calls may be inside after an outage: one, and twice as many with each one that is answered, until there is
/// no limit but the usual one. Calls from before do not count: one that hangs since then must not keep the others out.
/// Not thread-safe.
final class Ramp {
    private final int usual;
    private int limit;
    private int inside;
    private long restarts;

    Ramp(int usual) {
        this.usual = usual;
        this.limit = usual;
    }

    void restart() {
        limit = 1;
        inside = 0;
        restarts++;
    }

    boolean hasRoom() {
        return limit >= usual || inside < limit;
    }

    /// A call goes in; the answer is handed to [#leave].
    long enter() {
        inside++;
        return restarts;
    }

    void leave(long entered, boolean answered) {
        if (entered != restarts) {
            return;
        }
        inside--;
        if (answered) {
            limit = limit > usual / 2 ? usual : limit * 2;
        }
    }

    int limit() {
        return limit;
    }
}
