package dev.fusebox.gateway.admin;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.gateway.catalog.ServerLabel;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The routes for opening and resetting breakers manually. Thread-safe; nothing blocks.
final class BreakerRoutes {
    /// The name of a tool may contain slashes.
    private static final Pattern PATH = Pattern.compile("(?<server>[^/]+)(/tools/(?<tool>.+))?/(?<what>open|reset)");

    private static final String NO_REASON = "no reason given";
    private static final int MAX_REASON = 200;

    private final Breakers breakers;

    BreakerRoutes(Breakers breakers) {
        this.breakers = breakers;
    }

    /// @param path the part after `breakers/`
    void change(String path, HttpRequest request, HttpReply reply) {
        Matcher matcher = PATH.matcher(path);
        if (!matcher.matches()) {
            JsonReplies.problem(
                    reply,
                    404,
                    "not_found",
                    "no such operation; use breakers/SERVER/open or breakers/SERVER/tools/TOOL/open, or reset");
            return;
        }
        List<CircuitBreaker> found = find(matcher.group("server"), matcher.group("tool"));
        if (found.isEmpty()) {
            JsonReplies.problem(reply, 404, "unknown_breaker", unknown(matcher.group("server"), matcher.group("tool")));
        } else if (matcher.group("what").equals("reset")) {
            found.forEach(CircuitBreaker::reset);
            respond(found.getFirst(), reply);
        } else {
            open(found, request, reply);
        }
    }

    /// Searches the existing breakers, because not every text in a path is a valid name. The name of a server means
    /// all that clients in different places have under it, the first one first; `NAME@2` means one of them.
    private List<CircuitBreaker> find(String server, @Nullable String tool) {
        return breakers.names().stream()
                .filter(name -> Objects.equals(name.tool(), tool))
                .filter(name -> name.server().equals(server)
                        || ServerLabel.of(name.server()).server().equals(server))
                .sorted(Comparator.comparing(BreakerName::server))
                .flatMap(name -> breakers.find(name).stream())
                .toList();
    }

    private String unknown(String server, @Nullable String tool) {
        String name = tool == null ? server : server + "/" + tool;
        String guess = SpellingSuggestion.nearest(
                        name,
                        breakers.names().stream().map(BreakerName::toString).toList())
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse("");
        boolean isServerKnown = tool != null && !find(server, null).isEmpty();
        return "unknown breaker " + name
                + (isServerKnown ? "; a tool's breaker is created by its first call" : "")
                + guess;
    }

    private static void open(List<CircuitBreaker> found, HttpRequest request, HttpReply reply) {
        String reason = reason(request);
        if (reason == null) {
            JsonReplies.problem(
                    reply,
                    400,
                    "invalid_body",
                    "the body must be empty or JSON (application/json) such as {\"reason\": \"text\"}, with at most "
                            + MAX_REASON + " characters and no control characters");
            return;
        }
        found.forEach(breaker -> breaker.forceOpen(reason));
        respond(found.getFirst(), reply);
    }

    private static void respond(CircuitBreaker breaker, HttpReply reply) {
        JsonReplies.json(reply, BreakerJson.one(breaker.snapshot()));
    }

    /// Null if the body is invalid.
    private static @Nullable String reason(HttpRequest request) {
        if (request.body().length == 0) {
            return NO_REASON;
        }
        String type = request.headers().value("Content-Type");
        if (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
            return null;
        }
        try {
            JsonView body = JsonView.parse(request.body());
            String reason = body.isObject() ? body.string("reason") : null;
            return reason != null && isUsable(reason) ? reason : null;
        } catch (JsonSyntaxError noJson) {
            return null;
        }
    }

    private static boolean isUsable(String reason) {
        return !reason.isBlank()
                && reason.length() <= MAX_REASON
                && reason.chars().noneMatch(Character::isISOControl);
    }
}
