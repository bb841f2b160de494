package dev.fusebox.cli;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.admin.ClientToken;
import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How `init` registers Fusebox with clients, by its options and the configuration. Immutable; blocks on disk I/O.
///
/// @param launcher the path of `./fusebox`
/// @param ours Fusebox's configuration
record GatewayEntryChoice(Platform platform, String launcher, EditedFile ours) {
    GatewayEntry of(CommandArguments arguments) throws ServeOptions.Problem, IOException {
        String profile = arguments.value(InitCommand.PROFILE);
        boolean isHttp = isHttp(arguments.value(InitCommand.TRANSPORT));
        List<String> command = new ArrayList<>(List.of(
                launcher, "serve", "--config", ours.path().toAbsolutePath().toString()));
        if (profile == null && !isHttp) {
            return new GatewayEntry(command, null);
        }
        Configuration configuration = configuration();
        if (profile != null) {
            requireKnown(profile, configuration.profiles().keySet());
            command.addAll(List.of(InitCommand.PROFILE, profile));
        }
        return new GatewayEntry(command, isHttp ? address(profile, configuration, arguments.has("--yes")) : null);
    }

    private static boolean isHttp(@Nullable String transport) throws ServeOptions.Problem {
        return switch (transport) {
            case null -> false;
            case "stdio" -> false;
            case "http" -> true;
            default ->
                throw new ServeOptions.Problem("invalid --transport \"" + transport + "\": must be stdio or http");
        };
    }

    private Configuration configuration() throws ServeOptions.Problem {
        ReadResult read = ConfigFile.read(
                HostEnvironments.ofUnapproved(platform),
                ours.path(),
                ours.text().bytes());
        if (read instanceof ReadResult.Usable usable) {
            return usable.configuration();
        }
        throw new ServeOptions.Problem(read.lines().findFirst().orElse(ours.path() + " is not usable"));
    }

    private void requireKnown(String profile, Set<String> known) throws ServeOptions.Problem {
        if (!known.contains(profile)) {
            throw new ServeOptions.Problem("unknown profile \"" + profile + "\"; " + ours.path() + " has "
                    + (known.isEmpty() ? "none" : String.join(", ", known)));
        }
    }

    /// Only a change makes a token.
    private GatewayEntry.Address address(@Nullable String profile, Configuration configuration, boolean isWritten)
            throws ServeOptions.Problem, IOException {
        int port = configuration.http().port();
        if (port == 0) {
            throw new ServeOptions.Problem("http.port of " + ours.path()
                    + " is 0, so the port of the gateway is not known; set a port for --transport http");
        }
        InetAddress host = configuration.http().host();
        String name = host instanceof Inet6Address ? "[" + host.getHostAddress() + "]" : host.getHostAddress();
        String path = profile == null ? "/mcp" : "/mcp/p/" + profile;
        RunFolder folder = RunFolder.of(platform);
        String token = isWritten
                ? ClientToken.of(folder.made(), SecretIds.system())
                : ClientToken.find(folder).orElse("");
        return new GatewayEntry.Address(
                URI.create("http://" + name + ":" + port + path), token, ClientToken.file(folder));
    }
}
