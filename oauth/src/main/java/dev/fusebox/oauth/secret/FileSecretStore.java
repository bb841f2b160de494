package dev.fusebox.oauth.secret;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Secrets in files that only this user can read, one file each. A file that is a link, that belongs to another
/// user, or that others may read or write is not used. Thread-safe; blocks on disk access.
public final class FileSecretStore implements SecretStore {
    private final SecretFolder folder;

    /// @param folder need not exist; it is made with the first secret
    public FileSecretStore(Platform platform, Path folder) {
        this.folder = new SecretFolder(platform, folder);
    }

    @Override
    public byte @Nullable [] read(String name) throws IOException {
        return folder.read(name);
    }

    @Override
    public void write(String name, byte[] value) throws IOException {
        SecretProgram.check(value);
        folder.write(name, value);
    }

    @Override
    public boolean remove(String name) throws IOException {
        return folder.remove(name);
    }

    @Override
    public List<String> names() throws IOException {
        return folder.names();
    }
}
