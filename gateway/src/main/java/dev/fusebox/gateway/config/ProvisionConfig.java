package dev.fusebox.gateway.config;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which servers may be added beside those of the file. Immutable.
///
/// @param registry a file, a folder or an https address; null if there is none
/// @param trusted what may be started without asking anybody
/// @param isAutomatic whether any server is added without asking anybody
public record ProvisionConfig(@Nullable String registry, Set<Release> trusted, boolean isAutomatic) {
    public ProvisionConfig {
        trusted = Set.copyOf(trusted);
    }
}
