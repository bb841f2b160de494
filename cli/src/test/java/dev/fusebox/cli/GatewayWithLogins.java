package dev.fusebox.cli;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.GatewayHome;
import dev.fusebox.gateway.PersistentState;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.Platform;
import java.nio.file.Path;

/// A factory of gateways in this process, with the logins of its home folder.
final class GatewayWithLogins {
    private GatewayWithLogins() {}

    /// @param file a configuration without faults
    static GatewayCore open(Platform platform, Path file) throws Exception {
        if (!(ConfigFile.read(HostEnvironments.of(platform), file, Overrides.NONE)
                instanceof ReadResult.Usable(Configuration read, var _))) {
            throw new AssertionError("the configuration is usable");
        }
        return GatewayCore.open(
                platform,
                read,
                CoreOptions.of(ServeMode.TO_MANY)
                        .with(PersistentState.NOTHING.withLogins(GatewayHome.loginFolder(platform))));
    }
}
