package dev.fusebox.cli;

import dev.fusebox.config.edit.AtomicFile;
import dev.fusebox.config.edit.ClientFile;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The planned or applied change of one client's file by `init`. Immutable.
///
/// @param path of the file, as the client uses it
/// @param file its current content; null if it cannot be changed
/// @param after the new content; empty if it cannot be changed
/// @param change `none`, `add`, `replace`, `remove` (only servers are removed), `shared` or `refused`
/// @param servers the result for each of its servers
/// @param problem why it cannot be changed; null if it can
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

    /// A link to a file that another client in the list uses as well.
    static ClientChange shared(ClientFile client, Path path) {
        return new ClientChange(client, path, null, new byte[0], "shared", List.of(), null);
    }

    boolean isShared() {
        return change.equals("shared");
    }

    /// Whether Fusebox's entry is added or replaced.
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
