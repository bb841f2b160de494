package dev.fusebox.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.redaction.Redactor;
import java.util.List;
import org.junit.jupiter.api.Test;

class KnownSecretsTest {
    private static final int REFRESHES = 1_000;

    private final KnownSecrets secrets = new KnownSecrets(Redactor.of(List.of("configured-secret")));

    private static List<String> tokens(String server, int number) {
        return List.of("access-of-" + server + "-" + number + ";", "refresh-of-" + server + "-" + number + ";");
    }

    private String hidden(String text) {
        return secrets.redactor().hide(text);
    }

    @Test
    void newest_tokens_of_each_login_are_hidden_however_often_others_are_refreshed() {
        secrets.addOfLogin("quiet", tokens("quiet", 1));
        for (int i = 1; i <= REFRESHES; i++) {
            secrets.addOfLogin("busy", tokens("busy", i));
        }
        secrets.add(Redactor.of(List.of("reloaded-secret")));
        assertThat(hidden("configured-secret reloaded-secret")).isEqualTo("*** ***");
        assertThat(hidden(tokens("quiet", 1).getFirst())).isEqualTo("***");
        assertThat(hidden(tokens("busy", REFRESHES).getFirst())).isEqualTo("***");
        assertThat(hidden(tokens("busy", REFRESHES - 1).getLast())).isEqualTo("***");
    }

    @Test
    void tokens_that_were_replaced_long_ago_are_dropped() {
        for (int i = 1; i <= REFRESHES; i++) {
            secrets.addOfLogin("busy", tokens("busy", i));
        }
        assertThat(secrets.redactor()).hasToString("Redactor[17 secrets]");
    }

    @Test
    void tokens_that_are_read_again_do_not_displace_others() {
        secrets.addOfLogin("one", tokens("one", 1));
        for (int i = 1; i <= REFRESHES; i++) {
            secrets.addOfLogin("one", tokens("one", 2));
        }
        assertThat(hidden(tokens("one", 1).getFirst())).isEqualTo("***");
    }
}
