package dev.fusebox.cli;

import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.protocol.JsonView;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Servers, tools and breakers as lines for people. What servers say of themselves is printed without characters
/// that would mean something to a terminal. For one thread.
final class ServerTable {
    private static final Set<String> SICK =
            Set.of("offline", "error", "requires_reauth", "permanently_failed", "awaiting_user_config");
    private static final int LONGEST_TEXT = 100;
    private static final int HALF_A_SECOND = 500;

    private final CommandOutput output;
    private final boolean inFull;

    /// @param inFull whether more is wanted than names and states
    ServerTable(CommandOutput output, boolean inFull) {
        this.output = output;
        this.inFull = inFull;
    }

    static boolean isWell(List<JsonView> servers) {
        return servers.stream().noneMatch(server -> SICK.contains(text(server, "status")));
    }

    /// Of a gateway that runs.
    ///
    /// @param gateway the option that means it, with a space in front; empty if none is needed
    void print(String title, List<JsonView> servers, String gateway) {
        output.out().println(output.bold(title));
        int widest = servers.stream()
                .mapToInt(server -> text(server, "name").length())
                .max()
                .orElse(0);
        for (JsonView server : servers) {
            String name = text(server, "name");
            String gap = " ".repeat(widest - name.length() + 2);
            output.out()
                    .println("  " + plain(name) + gap + plain(text(server, "status"))
                            + (inFull ? details(server, gateway) : ""));
            JsonView tools = server.member("toolBreakers");
            if (inFull && tools != null) {
                tools.elements()
                        .forEach(breaker ->
                                output.out().println("    " + tool(breaker) + ": " + refused(breaker, gateway)));
            }
        }
    }

    private static String details(JsonView server, String gateway) {
        JsonView state = server.path("breaker", "state");
        JsonView error = server.path("lastError", "message");
        JsonView whole = server.member("breaker");
        String breaker = state == null || whole == null ? "" : ", breaker " + state.string() + trouble(whole);
        String words = error == null ? text(server, "statusMessage") : error.string();
        return tools(server)
                + breaker
                + (words == null || words.isEmpty() ? "" : ": " + message(plain(unrepeated(words, server))))
                + remedy(server, gateway);
    }

    /// Without the name and the status, which the line has said by then.
    private static String unrepeated(String words, JsonView server) {
        String known = text(server, "name") + " is " + text(server, "status");
        boolean isTold = words.startsWith(known + ": ") || words.startsWith(known + "; ");
        return isTold ? words.substring(known.length() + 2) : words;
    }

    /// A server that has not been asked yet has no tools that are known, which is not the same as none.
    private static String tools(JsonView server) {
        JsonView count = server.member("toolCount");
        if (count == null
                || (count.json().equals("0") && !text(server, "status").equals("online"))) {
            return "";
        }
        return ", " + counted(count.json(), "tool");
    }

    private static String tool(JsonView breaker) {
        return plain(text(breaker, "tool"));
    }

    /// Why calls of a tool are refused, though its server is well.
    private static String refused(JsonView breaker, String gateway) {
        String state = "breaker " + plain(text(breaker, "state"));
        return state + trouble(breaker) + held(breaker, text(breaker, "name"), gateway);
    }

    /// Of what nobody would guess: all else mends itself, or its words say what does.
    private static String remedy(JsonView server, String gateway) {
        String name = plain(text(server, "name"));
        if (text(server, "status").equals("permanently_failed")) {
            return "; given up, `" + FuseboxCommand.of("restart", name) + gateway + "` starts it again";
        }
        JsonView breaker = server.member("breaker");
        return breaker == null ? "" : held(breaker, name, gateway);
    }

    private static String held(JsonView breaker, String name, String gateway) {
        String reason = text(breaker, "operatorReason");
        return reason.isEmpty()
                ? ""
                : "; held open (" + plain(reason) + ") until `" + FuseboxCommand.of("breaker", "reset", plain(name))
                        + gateway + "`";
    }

    /// What a breaker has counted, and when the next call may find out more.
    private static String trouble(JsonView breaker) {
        JsonView failures = breaker.member("failureCount");
        String count = failures == null ? "0" : failures.json();
        return (count.equals("0") ? "" : " (" + counted(count, "failure") + ")") + next(breaker);
    }

    /// To the second: the part below a second differs at each reading, and would hide real changes from `--watch`.
    private static String next(JsonView breaker) {
        JsonView isDue = breaker.member("probeDue");
        String at = text(breaker, "retryAt");
        if (at.isEmpty()) {
            return "";
        }
        return isDue != null && isDue.isTrue() ? ", the next call tries it" : ", next try " + second(plain(at));
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
        String description = shortened(plain(text(tool, "description")));
        output.out().println(plain(text(tool, "shownAs")) + (description.isEmpty() ? "" : "  " + description));
    }

    static void printBreaker(JsonView breaker, CommandOutput output) {
        JsonView failures = breaker.member("failureCount");
        String reason = text(breaker, "operatorReason");
        output.out()
                .println(plain(text(breaker, "name")) + "  " + text(breaker, "state") + ", "
                        + counted(failures == null ? "0" : failures.json(), "failure")
                        + next(breaker)
                        + (reason.isEmpty() ? "" : ", " + plain(reason)));
    }

    /// A number and a noun in singular or plural.
    static String counted(long number, String noun) {
        return counted(Long.toString(number), noun);
    }

    static String counted(String number, String noun) {
        String plural = noun.endsWith("y") ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s";
        return number + " " + (number.equals("1") ? noun : plural);
    }

    private static String text(JsonView object, String member) {
        String text = object.string(member);
        return text == null ? "" : text;
    }

    /// A command in it would not work without its end.
    private static String message(String text) {
        return text.contains("`") ? text : shortened(text);
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
    }

    /// On one line, and without anything that could move a cursor, colour a screen or turn text around.
    static String plain(@Nullable String text) {
        return text == null
                ? ""
                : text.codePoints()
                        .map(each -> isPlain(each) ? each : ' ')
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining());
    }

    private static boolean isPlain(int character) {
        int type = Character.getType(character);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }
}
