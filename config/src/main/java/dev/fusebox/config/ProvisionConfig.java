package dev.fusebox.config;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Which servers may be added to those of the file. Immutable.
///
/// @param registry a file, a folder or an https address; null if there is none
/// @param lines what may be started without confirmation
/// @param isAutomatic whether any server is added without confirmation
public record ProvisionConfig(@Nullable String registry, List<Trust> lines, boolean isAutomatic) {
    public ProvisionConfig {
        lines = List.copyOf(lines);
    }

    /// A package that the operator trusts. Immutable.
    ///
    /// @param env names of the gateway's variables that it may get
    public record Trust(PackageRelease release, Set<String> env) {
        public Trust {
            env = Set.copyOf(env);
        }
    }

    /// The packages that may be started.
    public Set<PackageRelease> trusted() {
        return lines.stream().map(Trust::release).collect(Collectors.toSet());
    }

    /// Names of the gateway's variables that a package may get.
    public Set<String> env(PackageRelease release) {
        return lines.stream()
                .filter(each -> each.release().equals(release))
                .flatMap(each -> each.env().stream())
                .collect(Collectors.toSet());
    }
}
