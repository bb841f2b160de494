package dev.fusebox.oauth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.platform.files.PrivateFile;
import dev.fusebox.platform.files.PrivateFolder;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Store of what is known of authorization servers, shared by all processes of this user: their metadata with its
/// age, and the clients that were registered with them. Thread-safe; everything blocks on the disk.
///
/// Each client has a file of its own, so that two processes that register at the same time do not lose one. A client
/// is kept when a newer one is registered, because refresh tokens are bound to their client.
public final class IssuerStore {
    private static final int NAME_BYTES = 16;
    private static final String METADATA = ".metadata.json";
    private static final String CLIENT = ".client.json";
    /// Of one issuer. A login registers a client only if its port differs from those before.
    private static final int MAX_CLIENTS = 50;

    private final Path folder;
    private final boolean isExamined;

    /// A store in a folder, which need not exist.
    public IssuerStore(Path folder) {
        this(folder, false);
    }

    private IssuerStore(Path folder, boolean isExamined) {
        this.folder = folder;
        this.isExamined = isExamined;
    }

    /// The same store for examinations: its clients, no metadata, and no changes.
    IssuerStore examined() {
        return new IssuerStore(folder, true);
    }

    /// Metadata and the time of its retrieval. Immutable.
    record Cached(IssuerMetadata metadata, Instant retrievedAt) {}

    // ---- Metadata

    /// The stored metadata of an issuer; null if there is none that can be read.
    @Nullable
    Cached metadata(String issuer) {
        if (isExamined) {
            return null;
        }
        try {
            byte[] content = content(folder.resolve(name(issuer) + METADATA));
            return content == null ? null : cached(issuer, content);
        } catch (IOException | InvalidMetadata unusable) {
            // It is retrieved again.
            return null;
        }
    }

    private static @Nullable Cached cached(String issuer, byte[] content) throws InvalidMetadata {
        MetadataReader reader = MetadataReader.of(content);
        URI location = reader.url("location");
        JsonView document = reader.member("document");
        Instant at = time(reader, "retrievedAtMs");
        if (location == null || document == null || at == null) {
            return null;
        }
        IssuerMetadata read = IssuerMetadata.read(location, document.bytes());
        IssuerMetadata metadata = new IssuerMetadata(
                read.issuer(), location, reader.isTrue("assumed"), read.endpoints(), read.capabilities());
        return metadata.issuer().equals(issuer) ? new Cached(metadata, at) : null;
    }

    void keep(IssuerMetadata metadata, Instant now) throws IOException {
        if (isExamined) {
            return;
        }
        JsonWriter writer = new JsonWriter().beginObject();
        writer.name("location").string(metadata.location().toString());
        writer.name("retrievedAtMs").number(now.toEpochMilli());
        writer.name("assumed").bool(metadata.isAssumed());
        writer.name("document").raw(new String(metadata.json(), UTF_8));
        write(name(metadata.issuer()) + METADATA, writer.endObject());
    }

    /// Drops the metadata of an issuer, so that it is retrieved again.
    void dropMetadata(String issuer) throws IOException {
        Files.deleteIfExists(folder.resolve(name(issuer) + METADATA));
    }

    // ---- Clients

    /// The clients that were registered with an issuer, the newest first.
    ///
    /// @throws IOException if they cannot be read, or the folder is not safe
    public List<ClientRegistration> clients(String issuer) throws IOException {
        List<ClientRegistration> clients = new ArrayList<>();
        for (Path file : clientFiles(issuer)) {
            ClientRegistration client = client(issuer, file);
            if (client != null) {
                clients.add(client);
            }
        }
        clients.sort(Comparator.comparing(ClientRegistration::issuedAt).reversed());
        return clients;
    }

    private List<Path> clientFiles(String issuer) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        PrivateFolder.made(folder);
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, name(issuer) + ".*" + CLIENT)) {
            found.forEach(files::add);
        }
        return files;
    }

    /// Null if the file is damaged, was deleted meanwhile, or belongs to another issuer.
    private static @Nullable ClientRegistration client(String issuer, Path file) throws IOException {
        byte[] content = new PrivateFile(file).readSecret();
        try {
            return content == null ? null : client(issuer, MetadataReader.of(content));
        } catch (InvalidMetadata damaged) {
            return null;
        }
    }

    private static @Nullable ClientRegistration client(String issuer, MetadataReader reader) throws InvalidMetadata {
        ClientAuthMethod method = ClientAuthMethod.of(reader.text("method"));
        Instant issuedAt = time(reader, "issuedAtMs");
        if (method == null || issuedAt == null || !reader.requiredText("issuer").equals(issuer)) {
            return null;
        }
        return new ClientRegistration(
                reader.requiredText("clientId"),
                reader.text("clientSecret"),
                method,
                ClientRegistration.Kind.DYNAMIC,
                reader.text("redirectUri"),
                issuedAt,
                time(reader, "secretExpiresAtMs"));
    }

    /// Stores a client, and deletes the oldest ones if there are too many.
    void add(String issuer, ClientRegistration client) throws IOException {
        if (isExamined) {
            throw new IllegalStateException("an examination registers no client");
        }
        JsonWriter writer = new JsonWriter().beginObject();
        writer.name("issuer").string(issuer);
        writer.name("clientId").string(client.clientId());
        writer.name("clientSecret").string(client.clientSecret());
        writer.name("method").string(client.method().id());
        writer.name("redirectUri").string(client.redirectUri());
        writer.name("issuedAtMs").number(client.issuedAt().toEpochMilli());
        Instant expires = client.secretExpiresAt();
        if (expires != null) {
            writer.name("secretExpiresAtMs").number(expires.toEpochMilli());
        }
        write(clientFile(issuer, client.clientId()), writer.endObject());
        List<ClientRegistration> all = clients(issuer);
        for (ClientRegistration old : all.subList(Math.min(MAX_CLIENTS, all.size()), all.size())) {
            removeClient(issuer, old.clientId());
        }
    }

    void removeClient(String issuer, String clientId) throws IOException {
        Files.deleteIfExists(folder.resolve(clientFile(issuer, clientId)));
    }

    // ---- Files

    private static String clientFile(String issuer, String clientId) {
        return name(issuer) + "." + name(clientId) + CLIENT;
    }

    private byte @Nullable [] content(Path file) throws IOException {
        if (!Files.isDirectory(folder)) {
            return null;
        }
        PrivateFolder.made(folder);
        return new PrivateFile(file).read();
    }

    private void write(String name, JsonWriter writer) throws IOException {
        new PrivateFile(folder.resolve(name)).write(writer.bytes());
    }

    private static @Nullable Instant time(MetadataReader reader, String name) throws InvalidMetadata {
        JsonView member = reader.member(name);
        if (member == null) {
            return null;
        }
        try {
            return Instant.ofEpochMilli(Long.parseLong(member.json()));
        } catch (NumberFormatException noTime) {
            throw new InvalidMetadata(name + " is not a time");
        }
    }

    /// A text of a server as a file name.
    private static String name(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return HexFormat.of().formatHex(hash, 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
