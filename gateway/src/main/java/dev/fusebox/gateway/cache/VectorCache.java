package dev.fusebox.gateway.cache;

import dev.fusebox.gateway.tools.EmbeddingStore;
import dev.fusebox.search.VectorStore;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps in one file what the model has read, whichever gateway had it read: a text means the same to all of them.
/// Thread-safe; [#recall] blocks as the disk does, and nothing else blocks.
final class VectorCache implements EmbeddingStore {
    private final PrivateFile file;
    private final WriteBehind writeBehind;
    private final System.Logger log;

    /// What is to be written next, of all who have it kept.
    private final Set<VectorStore> waiting = new HashSet<>();

    VectorCache(PrivateFile file, WriteBehind writeBehind, System.Logger log) {
        this.file = file;
        this.writeBehind = writeBehind;
        this.log = log;
    }

    @Override
    public byte @Nullable [] recall() {
        try {
            return file.read();
        } catch (IOException | RuntimeException unusable) {
            log.log(
                    Level.WARNING,
                    "what was read of tools before cannot be used, and is read again: " + unusable.getMessage());
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

    /// Another gateway may have written meanwhile. If there is not room for all, its vectors are left out; so are
    /// those that cannot be read, of which [#recall] has told.
    private byte[] theirs() {
        try {
            return Objects.requireNonNullElse(file.read(), new byte[0]);
        } catch (IOException unusable) {
            return new byte[0];
        }
    }
}
