package dev.fusebox.cli;

import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The record of one file change by `init`, from which the change can be undone. Immutable.
///
/// @param id sorts the records by time
/// @param client the owner of the file; empty for Fusebox's own configuration
/// @param file its path
/// @param mode the permissions before the change; null if the file did not exist or has no POSIX permissions
/// @param before the digest of the original content; null if the file did not exist
/// @param after the digest of the written content
/// @param copy the backup beside the file; null if there is none
/// @param folders that were created for the file, the outermost first
/// @param servers that were added, by their names in Fusebox's configuration
record ChangeRecord(
        String id,
        Optional<ClientFile> client,
        Path file,
        @Nullable String mode,
        @Nullable String before,
        String after,
        @Nullable Path copy,
        List<Path> folders,
        List<String> servers) {
    private static final String OURS = "fusebox";

    ChangeRecord {
        folders = List.copyOf(folders);
        servers = List.copyOf(servers);
    }

    ChangeRecord withCopy(@Nullable Path other) {
        return new ChangeRecord(id, client, file, mode, before, after, other, folders, servers);
    }

    /// Whether the file existed before the change.
    boolean existed() {
        return before != null;
    }

    Optional<Set<PosixFilePermission>> rights() {
        return Optional.ofNullable(mode).map(PosixFilePermissions::fromString);
    }

    /// The name of the client, or Fusebox.
    String label() {
        return client.map(ClientFile::label).orElse("Fusebox");
    }

    String json() {
        JsonWriter json = new JsonWriter().beginObject().name("version").number(1);
        json.name("client").string(client.map(ClientFile::id).orElse(OURS));
        json.name("file").string(file.toString()).name("mode").string(mode);
        json.name("before").string(before).name("after").string(after);
        json.name("copy").string(copy == null ? null : copy.toString());
        list("folders", folders.stream().map(Path::toString), json);
        list("servers", servers.stream(), json);
        return json.endObject().toString();
    }

    private static void list(String name, Stream<String> texts, JsonWriter into) {
        into.name(name).beginArray();
        texts.forEach(into::string);
        into.endArray();
    }

    /// @throws IOException if the text is not a valid record
    static ChangeRecord parse(String id, byte[] text) throws IOException {
        try {
            JsonView json = JsonView.parse(text);
            String client = json.string("client");
            String file = json.string("file");
            String after = json.string("after");
            if (client == null || file == null || after == null) {
                throw new IOException("is not a valid change record");
            }
            String copy = json.string("copy");
            return new ChangeRecord(
                    id,
                    Stream.of(ClientFile.values())
                            .filter(each -> each.id().equals(client))
                            .findFirst(),
                    Path.of(file),
                    json.string("mode"),
                    json.string("before"),
                    after,
                    copy == null ? null : Path.of(copy),
                    texts(json.member("folders")).map(Path::of).toList(),
                    texts(json.member("servers")).toList());
        } catch (JsonSyntaxError spoilt) {
            throw new IOException("is not a valid change record", spoilt);
        }
    }

    private static Stream<String> texts(@Nullable JsonView list) {
        List<String> texts = new ArrayList<>();
        if (list != null && list.isArray()) {
            list.elements().stream().map(JsonView::string).forEach(text -> texts.add(String.valueOf(text)));
        }
        return texts.stream();
    }
}
