package dev.fusebox.oauth.secret;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A store of secrets by name, shared by all processes of this user. A reader finds the old value or the new one.
/// Thread-safe; everything blocks on the storage, up to ten seconds if it is another program.
///
/// A failure is an IOException whose message has the reason and the remedy, and no secret. A name or a value that
/// is not allowed is an IllegalArgumentException.
public interface SecretStore {
    /// The largest value in bytes.
    int MAX_BYTES = 65_536;

    /// A name has 1 to 64 characters from `A-Z a-z 0-9 _ . -`.
    Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    /// The value; null if there is none of this name.
    byte @Nullable [] read(String name) throws IOException;

    /// Stores a value in place of any former one.
    ///
    /// @param value 1 to 65,536 bytes
    void write(String name, byte[] value) throws IOException;

    /// Deletes a value. Returns whether there was one.
    boolean remove(String name) throws IOException;

    /// The names of all values that were written through this kind of store, in order.
    List<String> names() throws IOException;

    /// Whether secrets may have this name.
    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }
}
