package dev.fusebox.config;

import dev.fusebox.config.ValueType.Choice;
import dev.fusebox.config.ValueType.Text;
import java.util.List;

/// The section `credentials`.
final class CredentialsSection {
    static final SectionType SECTION = new SectionType("credentials");

    static final ConfigKey<CredentialStore> STORE = SECTION.key(
            "store",
            Choice.of(CredentialStore.values()),
            "\"file\"",
            "`file`: in `~/.fusebox`, readable only by you. `keyring`: in the keyring of the system, through"
                    + " `secret-tool` on Linux and `security` on macOS. `command`: by a program of your own.");
    static final ConfigKey<List<String>> COMMAND = SECTION.key(
            "command",
            new ListType<>(new Text(), 1, Integer.MAX_VALUE),
            "",
            "With `command`: the program and its arguments. It is run without a shell, with `get`, `store` or"
                    + " `erase` as its last argument.");

    private CredentialsSection() {}

    static CredentialsConfig read(ConfigSection credentials) {
        CredentialStore store = credentials.value(STORE);
        if (store != CredentialStore.COMMAND) {
            if (credentials.has(COMMAND) && (credentials.isSet(STORE) || !credentials.has(STORE))) {
                credentials.at(COMMAND).error("is only valid with \"store\": \"command\"");
            }
            return new CredentialsConfig(store, List.of());
        }
        List<String> command = credentials.written(COMMAND);
        if (!credentials.has(COMMAND) && credentials.isUnderstood()) {
            credentials.at(STORE).error("is \"command\", which needs \"command\": [\"PROGRAM\", \"ARGUMENT\"...]");
        }
        return new CredentialsConfig(store, command == null ? List.of() : command);
    }
}
