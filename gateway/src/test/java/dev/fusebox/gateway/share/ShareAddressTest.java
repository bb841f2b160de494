package dev.fusebox.gateway.share;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whether the folder of the socket is safe.
class ShareAddressTest {
    @TempDir
    Path home;

    @Test
    void superuser_does_not_use_the_folder_of_another_user() throws IOException {
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        Platform platform = Platform.system().withEnvironment(Map.of("FUSEBOX_HOME", home.toString()));
        ShareAddress address = ShareAddress.of(platform, Files.writeString(home.resolve("config.json"), "{}"), false);
        address.requireSafe();
        UserPrincipal other =
                home.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
        Files.setOwner(address.folder().path(), other);
        assertThatThrownBy(address::requireSafe).hasMessageContaining(" belongs to nobody and not to root");
    }
}
