package dev.fusebox.gateway.cache;

import dev.fusebox.gateway.tools.FeatureStore;
import dev.fusebox.platform.files.PrivateFile;
import dev.fusebox.search.SearchIndex;
import java.io.IOException;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// The persistent features of the tools of all gateways of this user, in one file. Thread-safe; only [#load] blocks, on
/// disk access.
final class FeatureCache implements FeatureStore {
    private final PrivateFile file;
    private final WriteBehind writeBehind;
    private final System.Logger log;

    FeatureCache(PrivateFile file, WriteBehind writeBehind, System.Logger log) {
        this.file = file;
        this.writeBehind = writeBehind;
        this.log = log;
    }

    @Override
    public byte @Nullable [] load() {
        try {
            return file.read();
        } catch (IOException | RuntimeException unusable) {
            log.log(Level.WARNING, "the cached index of tools is unreadable; rebuilding it: " + unusable.getMessage());
            return null;
        }
    }

    /// Another gateway may have written meanwhile.
    @Override
    public void keep(SearchIndex searchIndex) {
        writeBehind.add(file.path().toString(), () -> file.write(searchIndex.writtenFeatures(theirs())));
    }

    /// Null if they are unreadable, which [#load] has logged.
    private byte @Nullable [] theirs() {
        try {
            return file.read();
        } catch (IOException unusable) {
            return null;
        }
    }
}
