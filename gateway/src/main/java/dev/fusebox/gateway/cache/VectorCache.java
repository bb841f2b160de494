package dev.fusebox.gateway.cache;

import dev.fusebox.gateway.meta.ReadBefore;
import dev.fusebox.search.Vectors;
import java.io.IOException;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// Keeps in one file what the model has read, whichever gateway had it read: a text means the same to all of them.
/// Thread-safe; [#recall] blocks as the disk does.
final class VectorCache implements ReadBefore {
    private static final System.Logger LOG = System.getLogger(VectorCache.class.getName());

    private final PrivateFile file;
    private final Behind behind;

    VectorCache(PrivateFile file, Behind behind) {
        this.file = file;
        this.behind = behind;
    }

    @Override
    public byte @Nullable [] recall() {
        try {
            return file.read();
        } catch (IOException | RuntimeException unusable) {
            LOG.log(
                    Level.WARNING,
                    "what has been read of tools before cannot be used, and they are read again: "
                            + unusable.getMessage());
            return null;
        }
    }

    @Override
    public void keep(byte[] vectors) {
        behind.add(file.path().toString(), () -> file.write(together(vectors)));
    }

    /// Another gateway may have written meanwhile. If there is not room for all, these go first.
    private byte[] together(byte[] vectors) {
        byte[] theirs = recall();
        if (theirs == null) {
            return vectors;
        }
        Vectors both = new Vectors();
        both.read(vectors);
        both.read(theirs);
        return both.written();
    }
}
