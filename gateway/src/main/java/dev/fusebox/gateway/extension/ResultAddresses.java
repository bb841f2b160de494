package dev.fusebox.gateway.extension;

import dev.fusebox.client.Outcome;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;

/// The addresses of apps and skills in the result of one request. Immutable; nothing blocks.
///
/// @param server that has answered
/// @param method of the request
/// @param asked the address in the request, if the server has it under the same one; null otherwise
public record ResultAddresses(
        ServerAddresses addresses,
        String server,
        String method,
        @Nullable String asked) {
    /// The outcome with the addresses that clients see.
    public Outcome shown(Outcome outcome) {
        JsonView result = outcome instanceof Outcome.Answered(Message.Answer answer) && !addresses.isEmpty()
                ? answer.result()
                : null;
        if (result == null || !(outcome instanceof Outcome.Answered(Message.Answer answer))) {
            return outcome;
        }
        AddressEdits edits = new AddressEdits(addresses, server, asked, answer.frame());
        edits.result(method, result);
        if (!edits.isChanged()) {
            return outcome;
        }
        return new Outcome.Answered(answer.withFrame(edits.splice().bytes()));
    }
}
