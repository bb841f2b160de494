package dev.fusebox.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.oauth.login.BrowserOpener;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Processes;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Addresses that no program is started for.
class HostileBrowserOpenerTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "javascript:alert(1)",
                "file:///etc/passwd",
                "data:text/html,x",
                "fusebox:open",
                "--version",
                "/etc/passwd",
                "//login.example/",
                "httpx://login.example/"
            })
    void other_addresses_are_not_opened(String url) {
        BrowserOpener browser = new BrowserOpener(Platform.system().withProcesses(Processes.none()));
        assertThat(browser.open(URI.create(url))).isEqualTo("only http and https addresses are opened");
    }
}
