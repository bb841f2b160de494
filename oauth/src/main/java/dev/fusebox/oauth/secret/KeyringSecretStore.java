package dev.fusebox.oauth.secret;

import dev.fusebox.client.process.ProgramResult;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Secrets in the keyring of the system: `secret-tool` on Linux, `security` on macOS. Thread-safe; blocks up to ten
/// seconds for each program that it runs.
///
/// Values are stored as Base64, and are never arguments of a program. They are read again after they were written,
/// since `security` reports no failure. A folder of this user remembers the names, because listing a keyring prints
/// its secrets.
public final class KeyringSecretStore implements SecretStore {
    static final String LINUX = "secret-tool";

    private static final String APPLICATION = "fusebox";

    /// The exit status of `security` for an item that does not exist.
    private static final int MAC_NOT_FOUND = 44;

    private static final int NOT_FOUND = 1;

    private final boolean isMac;
    private final SecretProgram program;
    private final SecretFolder index;

    private KeyringSecretStore(SecretProgram program, boolean isMac, SecretFolder index) {
        this.program = program;
        this.isMac = isMac;
        this.index = index;
    }

    /// The keyring of this system.
    ///
    /// @param index folder for the names of the stored secrets; need not exist
    public static KeyringSecretStore of(Platform platform, Path index) {
        boolean isMac = System.getProperty("os.name", "").startsWith("Mac");
        return of(platform, index, isMac);
    }

    static KeyringSecretStore of(Platform platform, Path index, boolean isMac) {
        SecretProgram program = new SecretProgram(platform, List.of(isMac ? "security" : LINUX));
        return new KeyringSecretStore(program, isMac, new SecretFolder(platform, index));
    }

    @Override
    public byte @Nullable [] read(String name) throws IOException {
        checkName(name);
        ProgramResult.Exited exited = program.run(lookup(name), new byte[0]);
        if (isMissing(exited)) {
            return null;
        }
        if (exited.status() != 0) {
            throw program.failure(exited, List.of());
        }
        try {
            return Base64.getDecoder().decode(exited.output().strip());
        } catch (IllegalArgumentException notOurs) {
            // Without the cause: its message could quote the value.
            throw new IOException("the secret " + name + " in the keyring was not written by Fusebox; store it again");
        }
    }

    @Override
    public void write(String name, byte[] value) throws IOException {
        checkName(name);
        SecretProgram.check(value);
        String encoded = Base64.getEncoder().encodeToString(value);
        if (encoded.length() > mostCharacters()) {
            throw new IOException(
                    "the keyring takes at most " + mostCharacters() / 4 * 3 + " bytes of a secret, and this"
                            + " one has " + value.length + "; use \"credentials\": {\"store\": \"file\"}");
        }
        // The name comes first: a secret whose name is unknown would stay for good.
        index.write(name, null);
        byte[] input = input(name, encoded);
        ProgramResult.Exited exited;
        try {
            exited = program.run(store(name), input);
        } finally {
            Arrays.fill(input, (byte) 0);
        }
        if (exited.status() != 0) {
            throw program.failure(exited, List.of(encoded));
        }
        if (!Arrays.equals(read(name), value)) {
            throw new IOException("the keyring has not stored the secret " + name
                    + (exited.lastError().isEmpty()
                            ? ""
                            : ": " + exited.lastError().replace(encoded, "***")));
        }
    }

    @Override
    public boolean remove(String name) throws IOException {
        boolean isKnown = read(name) != null;
        ProgramResult.Exited exited = program.run(clear(name), new byte[0]);
        if (exited.status() != 0 && !isMissing(exited)) {
            throw program.failure(exited, List.of());
        }
        index.remove(name);
        return isKnown;
    }

    @Override
    public List<String> names() throws IOException {
        return index.names();
    }

    private static void checkName(String name) {
        if (!SecretStore.isName(name)) {
            throw new IllegalArgumentException("not the name of a secret");
        }
    }

    /// `secret-tool` exits with 1 for every failure, and prints nothing if only the item is missing.
    private boolean isMissing(ProgramResult.Exited exited) {
        return isMac
                ? exited.status() == MAC_NOT_FOUND
                : exited.status() == NOT_FOUND && exited.lastError().isEmpty();
    }

    /// `secret-tool` reads less than 8,192 bytes; a command of `security` has at most 4,096 with its other words.
    private int mostCharacters() {
        return isMac ? 3_900 : 8_188;
    }

    // ---- Commands

    private List<String> lookup(String name) {
        return isMac
                ? List.of("find-generic-password", "-s", APPLICATION, "-a", name, "-w")
                : List.of("lookup", "application", APPLICATION, "name", name);
    }

    /// `security` takes whole commands over standard input with this option.
    private List<String> store(String name) {
        return isMac
                ? List.of("-i")
                : List.of("store", "--label=Fusebox " + name, "application", APPLICATION, "name", name);
    }

    private byte[] input(String name, String encoded) {
        String text =
                isMac ? "add-generic-password -U -s " + APPLICATION + " -a " + name + " -w " + encoded + "\n" : encoded;
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<String> clear(String name) {
        return isMac
                ? List.of("delete-generic-password", "-s", APPLICATION, "-a", name)
                : List.of("clear", "application", APPLICATION, "name", name);
    }
}
