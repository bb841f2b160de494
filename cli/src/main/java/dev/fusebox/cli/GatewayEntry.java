package dev.fusebox.cli;

import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.config.edit.WorkTree;
import dev.fusebox.platform.FuseboxCommand;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// How clients reach Fusebox: they start it, or connect to a gateway that runs already. Immutable; [#entry] blocks
/// on disk I/O.
///
/// @param command that starts it
/// @param address of the gateway; null if all clients start it
record GatewayEntry(List<String> command, @Nullable Address address) {
    /// Stands for the token where people can read it.
    private static final String PLACEHOLDER = "TOKEN";

    /// Where a gateway serves clients over HTTP. Immutable.
    ///
    /// @param token that the gateway may require; empty if there is none yet
    /// @param file with the token
    record Address(URI url, String token, Path file) {}

    GatewayEntry {
        command = List.copyOf(command);
    }

    /// Fusebox as an entry of a client's file, as JSON. A client that reads no URL starts Fusebox; so does one
    /// whose file is in a work tree, from which the token might be published.
    String entry(ClientFile client, Path file) {
        String connected = address == null || WorkTree.of(file).isPresent()
                ? null
                : client.addressEntry(address.url().toString(), address.token());
        return connected == null ? client.entry(command.getFirst(), command.subList(1, command.size())) : connected;
    }

    /// Whether the content of a file contains the token.
    boolean hasTokenIn(byte[] content) {
        return address != null
                && !address.token().isEmpty()
                && new String(content, StandardCharsets.UTF_8).contains(address.token());
    }

    /// The same without its secret.
    GatewayEntry shown() {
        return address == null
                ? this
                : new GatewayEntry(command, new Address(address.url(), PLACEHOLDER, address.file()));
    }

    /// What the clients do.
    String described() {
        if (address == null) {
            return "Clients start Fusebox with: " + typed();
        }
        return "Clients connect to " + address.url() + " with the token of " + address.file()
                + ". A gateway has to run: `" + FuseboxCommand.of("service", "install") + "` or `"
                + FuseboxCommand.of("serve", "--transport", "http") + "`. Clients that read no URL, and files in work"
                + " trees, start Fusebox with: " + typed();
    }

    /// What to enter by hand, after "add a server that".
    String byHand() {
        return address == null
                ? "runs " + typed()
                : "has the URL " + address.url() + " and the header Authorization: Bearer " + PLACEHOLDER
                        + " with the token of " + address.file() + ",";
    }

    private String typed() {
        return command.stream().map(FuseboxCommand::quoted).collect(Collectors.joining(" "));
    }
}
