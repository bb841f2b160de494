package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A client of a street, of either era, which numbers its requests. For one thread.
final class GatewayClient {
    /// More than any list here has.
    private static final int MAX_PAGES = 1_000;

    private final HttpWire wire;
    private final boolean inSession;
    private final String capabilities;
    private int last;

    private GatewayClient(HttpWire wire, boolean inSession, String capabilities) {
        this.wire = wire;
        this.inSession = inSession;
        this.capabilities = capabilities;
    }

    /// How a client talks.
    enum Manner {
        SESSION,
        STATELESS
    }

    /// Of the stateless era.
    static GatewayClient of(GatewayHarness gateway) {
        return of(gateway, Manner.STATELESS);
    }

    static GatewayClient of(GatewayHarness gateway, Manner manner) {
        return of(gateway, manner, Messages.PLAIN);
    }

    /// @param capabilities that it declares
    static GatewayClient of(GatewayHarness gateway, Manner manner, String capabilities) {
        HttpWire wire = gateway.client();
        boolean inSession = manner == Manner.SESSION;
        if (inSession) {
            wire.hello(capabilities);
        }
        return new GatewayClient(wire, inSession, capabilities);
    }

    HttpWire wire() {
        return wire;
    }

    JsonView call(String tool, String arguments) {
        return ask("tools/call", Messages.tool(tool, arguments));
    }

    /// @param members of the parameters, each with a comma in front
    JsonView ask(String method, String members) {
        return wire.answer(request(method, members));
    }

    String request(String method, String members) {
        last++;
        return inSession
                ? Messages.request(last, method, "{" + (members.isEmpty() ? "" : members.substring(1)) + "}")
                : Messages.stateless(last, method, capabilities, members);
    }

    /// Code, category and outcome of a call that fails.
    String failure(String tool) {
        return Messages.kind(call(tool, "{}"));
    }

    /// All pages of a list.
    List<JsonView> all(String method, String list) {
        List<JsonView> items = new ArrayList<>();
        String members = "";
        for (int page = 0; page < MAX_PAGES; page++) {
            JsonView result = Messages.at(ask(method, members), "result");
            items.addAll(Messages.at(result, list).elements());
            JsonView next = result.member("nextCursor");
            if (next == null) {
                return items;
            }
            members = ",\"cursor\":" + next.json();
        }
        throw new AssertionError(method + " does not end");
    }

    List<String> tools() {
        return names("tools/list", "tools", "name");
    }

    List<String> names(String method, String list, String key) {
        return all(method, list).stream()
                .map(item -> Objects.requireNonNull(item.string(key)))
                .toList();
    }

    /// A list waits for slow servers for a second at most, which a busy machine may need to start them.
    void eventuallySees(String... tools) {
        eventually(
                "tools %s are listed".formatted(List.of(tools)),
                () -> assertThat(tools()).contains(tools));
    }
}
