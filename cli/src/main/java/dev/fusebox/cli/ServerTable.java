package dev.fusebox.cli;

import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Servers, tools and breakers as lines for people. What servers say of themselves is printed without characters that
/// would mean something to a terminal. For one thread.
final class ServerTable {
    private static final Set<String> SICK =
            Set.of("offline", "error", "requires_reauth", "permanently_failed", "awaiting_user_config");
    private static final int LONGEST_TEXT = 100;

    private final Screen screen;
    private final boolean inFull;

    /// @param inFull whether more is wanted than names and states
    ServerTable(Screen screen, boolean inFull) {
        this.screen = screen;
        this.inFull = inFull;
    }

    static boolean isWell(List<JsonView> servers) {
        return servers.stream().noneMatch(server -> SICK.contains(text(server, "status")));
    }

    void print(String title, List<JsonView> servers) {
        screen.out().println(screen.bold(title));
        int widest = servers.stream()
                .mapToInt(server -> text(server, "name").length())
                .max()
                .orElse(0);
        for (JsonView server : servers) {
            String name = text(server, "name");
            String gap = " ".repeat(widest - name.length() + 2);
            screen.out()
                    .println(
                            "  " + plain(name) + gap + plain(text(server, "status")) + (inFull ? details(server) : ""));
        }
    }

    private static String details(JsonView server) {
        JsonView tools = server.member("toolCount");
        JsonView state = server.path("breaker", "state");
        JsonView error = server.path("lastError", "message");
        String count = tools == null ? "" : ", " + counted(tools.json(), "tool");
        String breaker = state == null ? "" : ", breaker " + state.string() + trouble(server);
        String words = error == null ? text(server, "statusMessage") : error.string();
        return count
                + breaker
                + (words == null || words.isEmpty() ? "" : ": " + shortened(plain(words)))
                + remedy(server);
    }

    /// Of what nobody would guess: all else mends itself, or its words say what does.
    private static String remedy(JsonView server) {
        String name = plain(text(server, "name"));
        if (text(server, "status").equals("permanently_failed")) {
            return "; given up, `fusebox restart " + name + "` starts it again";
        }
        JsonView held = server.path("breaker", "operatorReason");
        return held == null || held.string() == null
                ? ""
                : "; held open (" + plain(held.string()) + ") until `fusebox breaker reset " + name + "`";
    }

    /// What a breaker has counted, and when the next call may find out more.
    private static String trouble(JsonView server) {
        JsonView failures = server.path("breaker", "failureCount");
        JsonView retry = server.path("breaker", "retryAt");
        String at = retry == null ? null : retry.string();
        String count = failures == null ? "0" : failures.json();
        return (count.equals("0") ? "" : " (" + counted(count, "failure") + ")")
                + (at == null ? "" : ", next try " + plain(at));
    }

    static void print(JsonView tool, Screen screen) {
        String description = shortened(plain(text(tool, "description")));
        screen.out().println(plain(text(tool, "shownAs")) + (description.isEmpty() ? "" : "  " + description));
    }

    static void printBreaker(JsonView breaker, Screen screen) {
        JsonView failures = breaker.member("failureCount");
        String retry = text(breaker, "retryAt");
        String reason = text(breaker, "operatorReason");
        screen.out()
                .println(plain(text(breaker, "name")) + "  " + text(breaker, "state") + ", "
                        + counted(failures == null ? "0" : failures.json(), "failure")
                        + (retry.isEmpty() ? "" : ", next try " + retry)
                        + (reason.isEmpty() ? "" : ", " + plain(reason)));
    }

    private static String counted(String number, String what) {
        return number + " " + what + (number.equals("1") ? "" : "s");
    }

    private static String text(JsonView object, String member) {
        String text = object.string(member);
        return text == null ? "" : text;
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
