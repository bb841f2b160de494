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

/// Secrets that a program of the operator stores. Thread-safe; blocks up to ten seconds.
///
/// The program is called with one more argument, `get`, `store` or `erase`. It reads the lines `name=NAME` and, for
/// `store`, `value=BASE64`. It exits with 0, or with 1 if there is no such secret; `get` prints `value=BASE64`. A
/// folder of this user remembers the names, which the program cannot list.
public final class CommandSecretStore implements SecretStore {
    private static final String VALUE = "value=";

    /// The status that means that there is no such secret.
    private static final int NOT_FOUND = 1;

    private final SecretProgram program;
    private final SecretFolder index;

    /// @param command the program and its arguments, at least one word
    /// @param index folder for the names of the stored secrets; need not exist
    public CommandSecretStore(Platform platform, List<String> command, Path index) {
        if (command.isEmpty()) {
            throw new IllegalArgumentException("no program");
        }
        this.program = new SecretProgram(platform, command);
        this.index = new SecretFolder(platform, index);
    }

    @Override
    public byte @Nullable [] read(String name) throws IOException {
        ProgramResult.Exited exited = run("get", name, "");
        if (exited.status() == NOT_FOUND) {
            return null;
        }
        if (exited.status() != 0) {
            throw program.failure(exited, List.of());
        }
        return exited.output()
                .lines()
                .filter(line -> line.startsWith(VALUE))
                .findFirst()
                .map(line -> decoded(line.substring(VALUE.length()).strip()))
                .filter(value -> value.length > 0 && value.length <= MAX_BYTES)
                .orElseThrow(() -> new IOException("the program " + program.name()
                        + " of the secret store printed no line value=BASE64 with 1 to " + MAX_BYTES + " bytes"));
    }

    /// Empty if it is not Base64.
    private static byte[] decoded(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException notEncoded) {
            return new byte[0];
        }
    }

    @Override
    public void write(String name, byte[] value) throws IOException {
        SecretProgram.check(value);
        String encoded = Base64.getEncoder().encodeToString(value);
        // The name comes first: a secret whose name is unknown would stay for good.
        index.write(name, null);
        ProgramResult.Exited exited = run("store", name, VALUE + encoded + "\n");
        if (exited.status() != 0) {
            throw program.failure(exited, List.of(encoded, new String(value, StandardCharsets.UTF_8)));
        }
    }

    @Override
    public boolean remove(String name) throws IOException {
        ProgramResult.Exited exited = run("erase", name, "");
        if (exited.status() != 0 && exited.status() != NOT_FOUND) {
            throw program.failure(exited, List.of());
        }
        index.remove(name);
        return exited.status() == 0;
    }

    @Override
    public List<String> names() throws IOException {
        return index.names();
    }

    private ProgramResult.Exited run(String action, String name, String rest) throws IOException {
        if (!SecretStore.isName(name)) {
            throw new IllegalArgumentException("not the name of a secret");
        }
        byte[] input = ("name=" + name + "\n" + rest).getBytes(StandardCharsets.UTF_8);
        try {
            return program.run(List.of(action), input);
        } finally {
            Arrays.fill(input, (byte) 0);
        }
    }
}
