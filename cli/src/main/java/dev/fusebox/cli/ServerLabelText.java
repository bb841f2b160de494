package dev.fusebox.cli;

import dev.fusebox.gateway.catalog.ServerLabel;
import dev.fusebox.platform.FuseboxCommand;

/// The explanation of names such as `NAME@2`, for commands to which they mean nothing. Stateless.
final class ServerLabelText {
    private ServerLabelText() {}

    /// What the label stands for, and where those that exist are listed.
    static String of(ServerLabel label) {
        return label + " is " + label.server() + " of a running gateway for clients in another folder or with other"
                + " variables; `" + FuseboxCommand.of("status") + "` lists those that exist";
    }
}
