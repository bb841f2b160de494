package dev.fusebox.cli;

import dev.fusebox.config.edit.AtomicFile;
import dev.fusebox.config.edit.ClientFile;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What `init` does, or would do, to one file of a client. Immutable.
///
/// @param path of the file, as the client knows it
/// @param file as it was read; null if it cannot be changed
/// @param after what it is to say; empty if it cannot be changed
/// @param change `none`, `add`, `replace`, `remove` (only other servers go), `shared` or `refused`
/// @param servers what becomes of each of its servers
/// @param problem why it is left as it is; null if it is not
@SuppressWarnings("ArrayRecordComponent") // copied, and never compared
record ClientChange(
        ClientFile client,
        Path path,
        @Nullable AtomicFile file,
        byte[] after,
        String change,
        List<MovedServer> servers,
        @Nullable String problem) {
    ClientChange {
        servers = List.copyOf(servers);
        after = after.clone();
    }

    static ClientChange refused(ClientFile client, Path path, String problem) {
        return new ClientChange(client, path, null, new byte[0], "refused", List.of(), problem);
    }

    /// For a file that a link leads to, and that another client of the list has as well.
    static ClientChange shared(ClientFile client, Path path) {
        return new ClientChange(client, path, null, new byte[0], "shared", List.of(), null);
    }

    boolean isShared() {
        return change.equals("shared");
    }

    /// Whether the file gets another entry of Fusebox.
    boolean isNewEntry() {
        return isChange() && !change.equals("remove");
    }

    boolean isChange() {
        return file != null && !change.equals("none");
    }

    @Override
    public byte[] after() {
        return after.clone();
    }
}
