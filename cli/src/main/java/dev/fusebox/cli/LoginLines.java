package dev.fusebox.cli;

import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The login to a server in lines for people, from its status. Pure functions; thread-safe.
final class LoginLines {
    private LoginLines() {}

    /// Empty for a server without a login.
    static List<String> of(JsonView status) {
        JsonView login = status.member("login");
        if (login == null) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add(OutputText.plain(state(login)));
        for (JsonView missing : elements(login, "missingScopes")) {
            String needed = String.join(" ", texts(missing, "scopes"));
            lines.add(OutputText.plain(missing.string("tool") + ": lacks the scope " + needed));
        }
        return lines;
    }

    private static String state(JsonView login) {
        JsonView isLoggedIn = login.member("loggedIn");
        boolean isUsable = isLoggedIn != null && isLoggedIn.isTrue();
        String failure = login.string("lastFailure");
        if (!isUsable) {
            String why = login.member("renewal") == null ? "not logged in" : "login expired";
            // The state of the server names the command.
            return why + told("; last refresh failed: ", failure);
        }
        List<String> scopes = texts(login, "scopes");
        return "logged in"
                + told(" as ", login.string("subject"))
                + (scopes.isEmpty() ? "" : ", scopes " + String.join(" ", scopes))
                + told(", access token until ", login.string("expiresAt"))
                + told(", renewed by ", login.string("renewal"))
                + told("; last refresh failed: ", failure);
    }

    private static String told(String before, @Nullable String text) {
        return text == null ? "" : before + text;
    }

    private static List<String> texts(JsonView object, String name) {
        return elements(object, name).stream()
                .map(JsonView::string)
                .map(String::valueOf)
                .toList();
    }

    private static List<JsonView> elements(JsonView object, String name) {
        JsonView list = object.member(name);
        return list == null ? List.of() : list.elements();
    }
}
