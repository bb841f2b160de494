package dev.fusebox.simulation.token;

import dev.fusebox.oauth.token.TokenKey;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenStore;
import dev.fusebox.testkit.Simulation;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The token store of several simulated processes: one record and its lock, which ends with its process. For the
/// threads of one simulation.
final class SimulatedDisk {
    private final Simulation sim;
    private @Nullable TokenRecord stored;
    private @Nullable DiskProcess holder;

    SimulatedDisk(Simulation sim) {
        this.sim = sim;
    }

    void put(TokenRecord tokenRecord) {
        stored = tokenRecord;
    }

    /// A process, as the disk sees it.
    final class DiskProcess implements TokenStore {
        private boolean isKilled;

        void kill() {
            isKilled = true;
            if (this.equals(holder)) {
                holder = null;
            }
        }

        boolean isKilled() {
            return isKilled;
        }

        /// A point at which other threads may run, and after which a killed process has no effect any more.
        private void step() throws IOException {
            sim.giveWay();
            if (isKilled) {
                throw new IOException("this process was killed");
            }
        }

        @Override
        public @Nullable TokenRecord read(TokenKey key) throws IOException {
            step();
            return stored;
        }

        @Override
        public void write(TokenRecord tokenRecord) throws IOException {
            step();
            stored = tokenRecord;
            step();
        }

        @Override
        public void remove(TokenKey key) throws IOException {
            step();
            stored = null;
        }

        @Override
        public List<TokenRecord> all() throws IOException {
            step();
            return stored == null ? List.of() : List.of(stored);
        }

        @Override
        public @Nullable Lock tryLock(TokenKey key) throws IOException {
            step();
            if (holder != null) {
                return null;
            }
            holder = this;
            return () -> {
                if (this.equals(holder)) {
                    holder = null;
                }
            };
        }
    }

    boolean isLocked() {
        return holder != null;
    }
}
