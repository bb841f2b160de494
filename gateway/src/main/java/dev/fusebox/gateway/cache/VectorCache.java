package dev.fusebox.gateway.cache;

import dev.fusebox.gateway.tools.EmbeddingStore;
import dev.fusebox.platform.files.PrivateFile;
import dev.fusebox.search.VectorStore;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The persistent embeddings of all gateways of this user, in one file: a text has the same vector for all of
/// them. Thread-safe; only [#load] blocks, on disk access.
final class VectorCache implements EmbeddingStore {
    private final PrivateFile file;
    private final WriteBehind writeBehind;
    private final System.Logger log;

    /// The stores whose vectors are written next.
    private final Set<VectorStore> waiting = new HashSet<>();

    VectorCache(PrivateFile file, WriteBehind writeBehind, System.Logger log) {
        this.file = file;
        this.writeBehind = writeBehind;
        this.log = log;
    }

    @Override
    public byte @Nullable [] load() {
        try {
            return file.read();
        } catch (IOException | RuntimeException unusable) {
            log.log(Level.WARNING, "embedding cache is unreadable; rebuilding it: " + unusable.getMessage());
            return null;
        }
    }

    @Override
    public synchronized void keep(VectorStore vectors) {
        waiting.add(vectors);
        writeBehind.add(file.path().toString(), this::write);
    }

    private void write() throws IOException {
        VectorStore all = new VectorStore();
        taken().forEach(all::take);
        all.read(theirs());
        file.write(all.written());
    }

    private synchronized Set<VectorStore> taken() {
        Set<VectorStore> all = Set.copyOf(waiting);
        waiting.clear();
        return all;
    }

    /// Another gateway may have written meanwhile. Its vectors are dropped if there is not enough room, or if they
    /// are unreadable, which [#load] has logged.
    private byte[] theirs() {
        try {
            return Objects.requireNonNullElse(file.read(), new byte[0]);
        } catch (IOException unusable) {
            return new byte[0];
        }
    }
}
