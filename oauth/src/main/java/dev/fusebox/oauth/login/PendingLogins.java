package dev.fusebox.oauth.login;

import dev.fusebox.client.ErrorId;
import dev.fusebox.oauth.token.FileLocks;
import dev.fusebox.oauth.token.TokenStore;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.files.PrivateFile;
import dev.fusebox.platform.files.PrivateFolder;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The logins in progress of this user, at most one for each server, so that a second one can join the first.
/// Thread-safe; blocks on disk access.
///
/// A login holds a lock file, which the operating system releases when the process ends. A file beside it says where
/// the person logs in; one that a dead process has left is replaced by the next login.
public final class PendingLogins {
    private static final System.Logger LOG = LazyLoggers.of(PendingLogins.class);
    private static final String FAILED = ".failed.json";

    private final Platform platform;
    private final Path folder;

    /// @param folder of the stored logins, which need not exist
    public PendingLogins(Platform platform, Path folder) {
        this.platform = platform;
        this.folder = folder;
    }

    private Path path(String server, String suffix) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(server.getBytes(StandardCharsets.UTF_8));
            return folder.resolve("pending-" + HexFormat.of().formatHex(hash) + suffix);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /// Takes the right to log in to a server; null if another thread or process has it.
    ///
    /// @param server what distinguishes the login from others, such as the address of the server
    public @Nullable Turn tryTake(String server) throws IOException {
        PrivateFolder.made(folder);
        TokenStore.Lock lock = FileLocks.tryLock(path(server, ".lock"));
        return lock == null ? null : new Turn(lock, server);
    }

    /// The last login to a server that a person was asked for; null if it has succeeded, or there was none.
    public @Nullable PendingLogin find(String server) throws IOException {
        byte[] content = new PrivateFile(path(server, ".json")).readSecret();
        return content == null ? null : PendingLogin.read(content);
    }

    /// Why the last login to a server failed; null if it has not, or there was none.
    public @Nullable FailedLogin failure(String server) throws IOException {
        byte[] content = new PrivateFile(path(server, FAILED)).readSecret();
        return content == null ? null : FailedLogin.read(content);
    }

    /// The right to log in to a server, until it is closed. Used by one thread.
    public final class Turn implements AutoCloseable {
        private final TokenStore.Lock lock;
        private final String server;
        private @Nullable PendingLogin current;

        private Turn(TokenStore.Lock lock, String server) {
            this.lock = lock;
            this.server = server;
        }

        /// How the login before this one ended; null if it has succeeded, or there was none.
        public @Nullable PendingLogin last() throws IOException {
            return find(server);
        }

        /// Begins a login, which takes the place of the one before.
        public void begin() throws IOException {
            forget();
        }

        private void forget() throws IOException {
            Files.deleteIfExists(path(server, ".json"));
            Files.deleteIfExists(path(server, FAILED));
        }

        /// Tells others where the person logs in.
        ///
        /// @param userCode to enter there; null for none
        public void publish(URI url, @Nullable String userCode) {
            write(new PendingLogin(url, userCode, ProcessHandle.current().pid(), now(), null));
        }

        /// Tells those who have joined, and later the doctor, why the login failed.
        public void failed(ErrorId id, String why) {
            try {
                new PrivateFile(path(server, FAILED)).write(new FailedLogin(id, why, now()).json());
            } catch (IOException unwritable) {
                LOG.log(Level.WARNING, "the doctor will not know why this login failed: " + unwritable.getMessage());
            }
            PendingLogin begun = current;
            if (begun != null) {
                write(begun.failed(now(), why));
            }
        }

        private Instant now() {
            return platform.wallClock().instant();
        }

        /// Without the file nobody can join, and the login goes on.
        private void write(PendingLogin next) {
            current = next;
            try {
                new PrivateFile(path(server, ".json")).write(next.json());
            } catch (IOException unwritable) {
                LOG.log(Level.WARNING, "other processes cannot join this login: " + unwritable.getMessage());
            }
        }

        /// Notes that the login has succeeded.
        public void succeeded() throws IOException {
            current = null;
            forget();
        }

        @Override
        public void close() {
            lock.close();
        }
    }
}
