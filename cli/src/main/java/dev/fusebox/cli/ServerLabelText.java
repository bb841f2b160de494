package dev.fusebox.cli;

import dev.fusebox.gateway.catalog.ServerLabel;
import dev.fusebox.platform.FuseboxCommand;

/// The explanation of names such as `NAME@2`, for errors of commands that do not find or accept them. Stateless.
final class ServerLabelText {
    private ServerLabelText() {}

    /// What the label stands for, and the command that lists the labels in use.
    static String of(ServerLabel label) {
        return label + " means the server " + label.server() + " of clients in another folder or with other variables;"
                + " `" + FuseboxCommand.of("status") + "` lists these names";
    }
}
