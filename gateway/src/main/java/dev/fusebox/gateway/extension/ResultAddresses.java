package dev.fusebox.gateway.extension;

import dev.fusebox.client.Outcome;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;

/// The addresses of apps and skills in the results of servers. Pure functions; nothing blocks.
public final class ResultAddresses {
    private ResultAddresses() {}

    /// An outcome with the addresses that clients see.
    ///
    /// @param method of the request
    public static Outcome shown(ServerAddresses addresses, String server, String method, Outcome outcome) {
        JsonView result = outcome instanceof Outcome.Answered(Message.Answer answer) && !addresses.isEmpty()
                ? answer.result()
                : null;
        if (result == null || !(outcome instanceof Outcome.Answered(Message.Answer answer))) {
            return outcome;
        }
        AddressEdits edits = new AddressEdits(addresses, server, answer.frame());
        edits.result(method, result);
        if (!edits.isChanged()) {
            return outcome;
        }
        Message.Answer changed = Message.Answer.of(edits.splice().bytes());
        return new Outcome.Answered(answer.isOurs() ? changed.asOurs() : changed);
    }
}
