package dev.fusebox.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which capabilities of a client select what a server lists.
class ClientProfileTest {
    private static final ClientSession SESSION = () -> true;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|''",
                "{\"roots\":{},\"extensions\":{}}|roots={}",
                "{\"extensions\":{\"a/b\":{}},\"experimental\":{}}|extensions={\"a/b\":{}}",
                "{\"sampling\":{},\"extensions\":{\"a/b\":{}}}|extensions={\"a/b\":{}};sampling={}"
            })
    void profile_has_what_servers_select_tools_by(String capabilities, String profile) {
        ClientMetadata client =
                new ClientMetadata("", JsonView.of(capabilities), null, null, true, SESSION, false, Principal.OWNER);

        assertThat(client.profile()).isEqualTo(profile);
    }
}
