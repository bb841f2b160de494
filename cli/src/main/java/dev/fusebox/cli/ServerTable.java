package dev.fusebox.cli;

import dev.fusebox.gateway.catalog.ServerLabel;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.protocol.JsonView;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/// A formatter of servers, tools and breakers as text lines. Text from servers is printed without terminal control
/// characters. For one thread.
final class ServerTable {
    private static final Set<String> SICK =
            Set.of("offline", "error", "requires_reauth", "permanently_failed", "awaiting_user_config");
    private static final int LONGEST_TEXT = 100;
    private static final int HALF_A_SECOND = 500;

    private final CommandOutput output;
    private final boolean inFull;

    /// @param inFull whether more than names and states is printed
    ServerTable(CommandOutput output, boolean inFull) {
        this.output = output;
        this.inFull = inFull;
    }

    static boolean isWell(List<JsonView> servers) {
        return servers.stream().noneMatch(server -> SICK.contains(text(server, "status")));
    }

    /// Prints the servers of a configuration.
    void print(String title, List<JsonView> servers) {
        output.out().println(output.bold(title));
        print(servers, "", false);
    }

    /// Prints the servers of a gateway.
    void print(GatewayState state, List<JsonView> servers) {
        output.out().println(output.bold(state.title()));
        if (inFull && !state.clients().isEmpty()) {
            output.out().println("  " + state.clients());
        }
        print(servers, state.gateway().option(), state.isShared());
    }

    /// @param gateway the option that selects it, with a space in front; empty if none is needed
    private void print(List<JsonView> servers, String gateway, boolean isShared) {
        int widest = servers.stream()
                .mapToInt(server -> text(server, "name").length())
                .max()
                .orElse(0);
        for (JsonView server : servers) {
            String name = text(server, "name");
            String gap = " ".repeat(widest - name.length() + 2);
            output.out()
                    .println("  " + OutputText.plain(name) + gap + OutputText.plain(text(server, "status"))
                            + (inFull ? details(server, gateway) : ""));
            if (inFull) {
                LoginLines.of(server).forEach(line -> output.out().println("    " + line));
                SharingLines.of(server, isShared).forEach(line -> output.out().println("    " + line));
            }
            JsonView tools = server.member("toolBreakers");
            if (inFull && tools != null) {
                tools.elements()
                        .forEach(breaker ->
                                output.out().println("    " + tool(breaker) + ": " + refused(breaker, gateway)));
            }
        }
        if (inFull) {
            SharingLines.ofAll(servers).forEach(line -> output.out().println("  " + line));
        }
    }

    private static String details(JsonView server, String gateway) {
        JsonView state = server.path("breaker", "state");
        JsonView error = server.path("lastError", "message");
        JsonView whole = server.member("breaker");
        String breaker = state == null || whole == null
                ? ""
                : ", breaker " + state.string() + trouble(whole) + held(whole, text(server, "name"), gateway);
        String words = error == null ? statusMessage(server) : error.string();
        return tools(server)
                + breaker
                + (words == null || words.isEmpty() ? "" : ": " + message(OutputText.plain(unrepeated(words, server))))
                + remedy(server, gateway);
    }

    /// The message; empty if it only repeats that the breaker is forced open.
    private static String statusMessage(JsonView server) {
        String message = text(server, "statusMessage");
        JsonView breaker = server.member("breaker");
        boolean isHeld = breaker != null && !text(breaker, "operatorReason").isEmpty();
        return isHeld && message.startsWith("breaker forced open") ? "" : message;
    }

    /// The message without name and status, which the line already contains.
    private static String unrepeated(String words, JsonView server) {
        String known = text(server, "name") + " is " + text(server, "status");
        boolean isTold = words.startsWith(known + ": ") || words.startsWith(known + "; ");
        return isTold ? words.substring(known.length() + 2) : words;
    }

    /// The tool count; left out for a server that has not been listed yet, because unknown is not zero.
    private static String tools(JsonView server) {
        JsonView count = server.member("toolCount");
        if (count == null
                || (count.json().equals("0") && !text(server, "status").equals("online"))) {
            return "";
        }
        return ", " + OutputText.counted(count.json(), "tool");
    }

    private static String tool(JsonView breaker) {
        return OutputText.plain(text(breaker, "tool"));
    }

    /// The state of a tool's breaker.
    private static String refused(JsonView breaker, String gateway) {
        return "breaker " + OutputText.plain(text(breaker, "state")) + trouble(breaker)
                + held(breaker, text(breaker, "name"), gateway);
    }

    /// A command, for states that do not recover on their own.
    private static String remedy(JsonView server, String gateway) {
        return text(server, "status").equals("permanently_failed")
                ? "; `" + FuseboxCommand.of("restart", OutputText.plain(text(server, "name"))) + gateway
                        + "` restarts it"
                : "";
    }

    /// The operator's reason, and the command that ends the state.
    private static String held(JsonView breaker, String name, String gateway) {
        String reason = text(breaker, "operatorReason");
        return reason.isEmpty()
                ? ""
                : " (" + OutputText.plain(reason) + ") until `"
                        + FuseboxCommand.of("breaker", "reset", OutputText.plain(name)) + gateway + "`";
    }

    /// The failure count and the time of the next probe.
    private static String trouble(JsonView breaker) {
        JsonView failures = breaker.member("failureCount");
        String count = failures == null ? "0" : failures.json();
        return (count.equals("0") ? "" : " (" + OutputText.counted(count, "failure") + ")") + next(breaker);
    }

    /// The time of the next probe, rounded to seconds: fractions differ at each query and would count as changes
    /// for `--watch`.
    private static String next(JsonView breaker) {
        JsonView isDue = breaker.member("probeDue");
        String at = text(breaker, "retryAt");
        if (at.isEmpty()) {
            return "";
        }
        return isDue != null && isDue.isTrue()
                ? ", the next call is a probe"
                : ", retry at " + second(OutputText.plain(at));
    }

    private static String second(String at) {
        try {
            return Instant.parse(at)
                    .plusMillis(HALF_A_SECOND)
                    .truncatedTo(ChronoUnit.SECONDS)
                    .toString();
        } catch (DateTimeParseException other) {
            return at;
        }
    }

    static void print(JsonView tool, CommandOutput output) {
        String description = shortened(OutputText.plain(text(tool, "description")));
        output.out().println(OutputText.plain(shown(tool)) + (description.isEmpty() ? "" : "  " + description));
    }

    /// The tools of several servers of one name have the same exposed names, so the label of the server is shown
    /// instead.
    private static String shown(JsonView tool) {
        ServerLabel label = ServerLabel.of(text(tool, "server"));
        return label.isFurther() ? label + "/" + text(tool, "tool") : text(tool, "shownAs");
    }

    static void printBreaker(JsonView breaker, CommandOutput output) {
        JsonView failures = breaker.member("failureCount");
        String reason = text(breaker, "operatorReason");
        output.out()
                .println(OutputText.plain(text(breaker, "name")) + "  " + text(breaker, "state") + ", "
                        + OutputText.counted(failures == null ? "0" : failures.json(), "failure")
                        + next(breaker)
                        + (reason.isEmpty() ? "" : ", " + OutputText.plain(reason)));
    }

    private static String text(JsonView object, String member) {
        String text = object.string(member);
        return text == null ? "" : text;
    }

    /// Shortens a message, unless it contains a command, which must stay complete.
    private static String message(String text) {
        return text.contains("`") ? text : shortened(text);
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
    }
}
