package dev.fusebox.gateway.approval;

import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.files.PrivateFile;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The approvals of this user, one file for each configuration file, in `~/.fusebox/allowed`. A record that is
/// unreadable, or writable by others, is an error and never an approval. Immutable; blocks on disk access.
///
/// @param folder need not exist
record ApprovalStore(Path folder) {
    /// An approval.
    ///
    /// @param target the real path of the file, all links followed
    /// @param digest SHA-256 of its content in hexadecimal
    /// @param at the time of the approval in ISO 8601
    record Approval(String target, String digest, String at) {}

    /// @throws IOException if the environment names no home
    static ApprovalStore of(Platform platform) throws IOException {
        return new ApprovalStore(RunFolder.of(platform).path().resolveSibling("allowed"));
    }

    static String digest(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /// The path of the approval record of a configuration file.
    ///
    /// @param file its absolute path, with a real folder
    Path record(Path file) {
        return folder.resolve(digest(file.toString().getBytes(StandardCharsets.UTF_8)) + ".json");
    }

    /// Null if the file was never allowed.
    ///
    /// @throws IOException if the record cannot be trusted or read
    @Nullable
    Approval find(Path file, FileOwnership fileOwnership) throws IOException {
        Path record = record(file);
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        require(fileOwnership.ofFolder(folder), folder);
        byte[] content = new PrivateFile(record).read();
        if (content == null) {
            return null;
        }
        require(fileOwnership.ofFile(record), record);
        return parsed(content, file, record);
    }

    private static void require(Optional<ConfigRejection> configRejection, Path path) throws IOException {
        if (configRejection.isPresent()) {
            throw new IOException(path + " " + configRejection.get().cause());
        }
    }

    private static Approval parsed(byte[] content, Path file, Path record) throws IOException {
        try {
            JsonView read = JsonView.parse(content);
            String target = read.string("target");
            String digest = read.string("sha256");
            String at = read.string("at");
            if (file.toString().equals(read.string("file")) && target != null && digest != null && at != null) {
                return new Approval(target, digest, at);
            }
            throw new IOException(record + " is not an approval record");
        } catch (JsonSyntaxError spoilt) {
            throw new IOException(record + " is not an approval record", spoilt);
        }
    }

    void write(Path file, Approval approval) throws IOException {
        JsonWriter json = new JsonWriter().beginObject().name("file").string(file.toString());
        json.name("target").string(approval.target()).name("sha256").string(approval.digest());
        json.name("at").string(approval.at()).endObject();
        new PrivateFile(record(file)).write(json.toString().getBytes(StandardCharsets.UTF_8));
    }
}
