package dev.fusebox.cli;

import dev.fusebox.config.edit.AtomicFile;
import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.config.edit.JsonEditor;
import dev.fusebox.config.edit.Unreadable;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.files.FileSync;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The undo of `init`: restores the changed files byte for byte, unless a file has changed since. A second run
/// does nothing, and a run after a crash completes the rest. For one thread; blocks on disk I/O.
final class InitUndo {
    private final ChangeRecords records;
    private final boolean isForced;
    private final Map<Path, FileResult> results = new LinkedHashMap<>();

    /// @param isForced whether files that have changed since get their servers back and keep the later changes
    InitUndo(ChangeRecords records, boolean isForced) {
        this.records = records;
        this.isForced = isForced;
    }

    /// The result for one file.
    ///
    /// @param result `restored`, `deleted` (it did not exist before), `unchanged` (nothing of the change is left),
    /// `refused`, `partial` (only later ones of several changes were undone), or `merged` (it keeps later changes)
    /// @param detail why it was refused, in part or completely; null otherwise
    record FileResult(
            ChangeRecord record, String result, @Nullable String detail) {
        boolean isRefused() {
            return result.equals("refused") || result.equals("partial");
        }

        boolean isChange() {
            return !result.equals("refused") && !result.equals("unchanged");
        }

        /// The result for a file of which a later change was undone before this one.
        FileResult after(FileResult later) {
            if (isRefused()) {
                return later.isChange() ? new FileResult(record, "partial", detail) : this;
            }
            return later.isRefused() || !isChange() ? new FileResult(record, later.result, later.detail) : this;
        }
    }

    /// Undoes the changes of all clients or of some. Fusebox's own configuration comes last, because a client that
    /// still uses Fusebox needs it.
    ///
    /// @param only the selected clients; empty for all, including Fusebox's own configuration
    /// @return one result for each file, which `init` may have changed several times
    List<FileResult> run(Set<ClientFile> only) throws IOException {
        List<ChangeRecord> all = records.all();
        for (ChangeRecord each : all) {
            if (each.client().isPresent()
                    && (only.isEmpty() || only.contains(each.client().get()))) {
                add(undo(each));
            }
        }
        if (only.isEmpty()) {
            boolean isUsed = results.values().stream().anyMatch(FileResult::isRefused);
            for (ChangeRecord each : all) {
                if (each.client().isEmpty()) {
                    add(isUsed ? refused(each, "a client still uses it") : undo(each));
                }
            }
        }
        return List.copyOf(results.values());
    }

    private void add(FileResult fileResult) {
        results.merge(fileResult.record().file(), fileResult, (later, earlier) -> earlier.after(later));
    }

    private static FileResult refused(ChangeRecord record, String why) {
        return new FileResult(record, "refused", why);
    }

    private FileResult undo(ChangeRecord record) {
        try {
            AtomicFile file = AtomicFile.read(record.file());
            String now = file.isThere() ? ChangeRecords.digest(file.content()) : "";
            if (now.equals(record.existed() ? record.before() : "")) {
                file.removeLeftOvers();
                return done(record, "unchanged");
            }
            if (now.equals(record.after())) {
                return restored(record, file);
            }
            if (isNothingLeft(record, file)) {
                return done(record, "unchanged");
            }
            return isForced ? merged(record, file) : refused(record, changed(record));
        } catch (IOException failed) {
            return refused(record, FileErrorText.text(failed));
        } catch (Unreadable unreadable) {
            return refused(record, "it " + unreadable.getMessage() + byHand(record));
        }
    }

    private String changed(ChangeRecord record) {
        String what = record.client().isPresent()
                ? "removes Fusebox, restores the servers and keeps the other changes"
                : "removes the servers that init added and keeps the other changes";
        return "it has changed since init; `" + FuseboxCommand.of("init", "--undo", "--force") + "` " + what
                + byHand(record);
    }

    private String byHand(ChangeRecord record) {
        return record.existed() ? "; its original content is in " + records.file(record) : "";
    }

    private FileResult restored(ChangeRecord record, AtomicFile file) throws IOException {
        if (!record.existed()) {
            Files.delete(record.file());
            FileSync.sync(record.file().resolveSibling(""));
            for (Path folder : record.folders().reversed()) {
                if (!ChangeRecords.removeIfEmpty(folder)) {
                    break;
                }
            }
            return done(record, "deleted");
        }
        file.replaceWithoutCopy(records.content(record));
        restoreRights(record);
        return done(record, "restored");
    }

    private static void restoreRights(ChangeRecord record) throws IOException {
        if (record.rights().isPresent()) {
            Files.setPosixFilePermissions(record.file(), record.rights().get());
        }
    }

    /// Removes the backups beside the file with its content before and after the change. Other backups belong to
    /// other changes or were edited by hand.
    private FileResult done(ChangeRecord record, String result) throws IOException {
        Set<String> undone = new HashSet<>(Set.of(record.after()));
        if (record.before() != null) {
            undone.add(record.before());
        }
        Predicate<byte[]> isNeedless = content -> undone.contains(ChangeRecords.digest(content));
        AtomicFile.read(record.file()).removeCopies(isNeedless);
        records.remove(record);
        return new FileResult(record, result, null);
    }

    /// Whether nothing is left of the change in a file that has changed since: the file was restored by hand, or
    /// its state before a later change was restored.
    private boolean isNothingLeft(ChangeRecord record, AtomicFile file) throws IOException, Unreadable {
        Optional<ClientFile> client = record.client();
        if (!file.isThere() || !Arrays.equals(mergedContent(record, file), file.content())) {
            return false;
        }
        return client.isEmpty()
                || !record.existed()
                || hasServers(client.get(), records.content(record), file.content());
    }

    private static boolean hasServers(ClientFile client, byte[] before, byte[] now) throws Unreadable {
        Map<String, JsonView> present = client.servers(now);
        return client.servers(before).entrySet().stream()
                .allMatch(server -> present.containsKey(server.getKey())
                        && present.get(server.getKey())
                                .json()
                                .equals(server.getValue().json()));
    }

    private byte[] mergedContent(ChangeRecord record, AtomicFile file) throws IOException, Unreadable {
        byte[] before = record.existed() ? records.content(record) : new byte[0];
        return record.client().isPresent()
                ? withServers(record.client().get(), before, file.content())
                : withoutServers(record, file.content());
    }

    private FileResult merged(ChangeRecord record, AtomicFile file) throws IOException, Unreadable {
        byte[] after = mergedContent(record, file);
        if (!Arrays.equals(after, file.content())) {
            file.replaceWithoutCopy(after);
        }
        return done(record, "merged");
    }

    private static byte[] withServers(ClientFile client, byte[] before, byte[] now) throws Unreadable {
        byte[] text = client.without(now, ClientSelection.NAME);
        Set<String> known = client.servers(text).keySet();
        for (String name : client.servers(before).keySet()) {
            if (!known.contains(name)) {
                text = client.withOf(before, text, name);
            }
        }
        return text;
    }

    private static byte[] withoutServers(ChangeRecord record, byte[] now) throws Unreadable {
        JsonEditor text = JsonEditor.parse(now);
        for (String name : record.servers()) {
            for (String above : List.of("mcpServers", "servers")) {
                if (Optional.ofNullable(text.at(List.of(above, name))).isPresent()) {
                    text = text.without(List.of(above), name);
                }
            }
        }
        return text.bytes();
    }
}
