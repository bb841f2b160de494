package dev.fusebox.gateway;

import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.reload.ConfigReload;
import dev.fusebox.platform.Platform;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The configuration of a gateway, and the file from which it was read. Immutable; reading blocks on disk I/O.
///
/// @param warnings problems of the file that do not prevent its use
/// @param source the file, whose changes the gateway applies; null if there is none
public record GatewayConfig(
        Configuration configuration, List<ConfigProblem> warnings, ConfigReload.@Nullable Source source) {
    public GatewayConfig {
        warnings = List.copyOf(warnings);
    }

    /// A configuration without a file, which does not change.
    public static GatewayConfig of(Configuration configuration) {
        return new GatewayConfig(configuration, List.of(), null);
    }

    /// Reads a configuration file.
    ///
    /// @throws GatewayException if the whole file is unusable, with all its problems; a problem of one server
    /// makes only that server unavailable
    public static GatewayConfig read(Path file) throws GatewayException {
        return read(Platform.system(), file, Overrides.NONE);
    }

    /// The same.
    ///
    /// @param platform whose environment supplies variables
    /// @param overrides take precedence over the file
    public static GatewayConfig read(Platform platform, Path file, Overrides overrides) throws GatewayException {
        ConfigReload.Source source = new ConfigReload.Source(platform, file.toAbsolutePath(), overrides);
        return switch (source.read()) {
            case ReadResult.Usable(Configuration configuration, var warnings) ->
                new GatewayConfig(configuration, warnings, source);
            case ReadResult.Refused refused ->
                throw new GatewayException(
                        refused.problems().stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
        };
    }
}
