package dev.fusebox.gateway.task;

import dev.fusebox.gateway.session.HmacSigner;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.files.PrivateFile;
import dev.fusebox.platform.files.PrivateFolder;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The key that signs task ids. All gateways of a user share it, and it survives them: the first that needs it
/// creates its file. Immutable; [#load] blocks on disk access.
///
/// @param file of the key; null for a gateway without a home, whose key is not kept
public record TaskKey(@Nullable Path file) {
    /// Its ids are valid as long as the gateway runs.
    public static final TaskKey OF_THIS_RUN = new TaskKey(null);

    private static final System.Logger LOG = LazyLoggers.of(TaskKey.class);

    /// The key; one for this run only if the file cannot be used.
    ///
    /// @param secrets a source of unguessable numbers
    public byte[] load(RandomGenerator secrets) {
        if (file != null) {
            try {
                return stored(file, secrets);
            } catch (IOException unusable) {
                LOG.log(Level.WARNING, "task ids will not survive a restart of the gateway: " + unusable.getMessage());
            }
        }
        return random(secrets);
    }

    private static byte[] random(RandomGenerator secrets) {
        byte[] key = new byte[HmacSigner.KEY_BYTES];
        secrets.nextBytes(key);
        return key;
    }

    private static byte[] stored(Path file, RandomGenerator secrets) throws IOException {
        byte[] known = new PrivateFile(file).readSecret();
        if (known == null) {
            publish(file, random(secrets), Long.toHexString(secrets.nextLong()));
            known = new PrivateFile(file).readSecret();
        }
        if (known == null || known.length != HmacSigner.KEY_BYTES) {
            throw new IOException(
                    file + " is not a valid key; delete it, and the next gateway that needs it creates a new one");
        }
        return known;
    }

    /// A link appears completely or not at all, and replaces no key of another gateway.
    ///
    /// @param unique distinguishes it from drafts of other gateways
    private static void publish(Path file, byte[] key, String unique) throws IOException {
        PrivateFolder.made(file.resolveSibling(""));
        Path draft = file.resolveSibling(file.getFileName() + "." + unique + ".new");
        try {
            new PrivateFile(draft).write(key);
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException first) {
            // Another gateway was first; its key is read.
            return;
        } catch (UnsupportedOperationException unsupported) {
            throw new IOException(
                    file + " cannot be created: its file system does not support hard links", unsupported);
        } finally {
            Files.deleteIfExists(draft);
        }
    }
}
