package dev.fusebox.client.http;

import dev.fusebox.client.Ration;
import java.io.IOException;

/// Too many long answers are in memory already.
final class NoRoom extends IOException {
    private static final long serialVersionUID = 1;

    private NoRoom() {
        super("no room among the answers to others");
    }

    /// Waits until an answer may grow.
    ///
    /// @param before what there is room for
    static void unlessFor(int bytes, int before) throws NoRoom {
        int more = bytes - Math.max(Ration.FREE, before);
        Ration ration = Ration.current();
        if (more > 0 && ration != null && !ration.await(more)) {
            throw new NoRoom();
        }
    }
}
