package dev.fusebox.gateway.admin;

import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.http.HttpHeaders;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The status page at `/`: a table of servers and one of breakers. It has no scripts, and escapes all text. Pure
/// functions.
final class StatusPage {
    private static final String HEAD = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Fusebox</title>
            <style>body{font:15px system-ui,sans-serif;margin:2em}table{border-collapse:collapse;margin-bottom:2em}
            th,td{text-align:left;padding:.3em 1em .3em 0;border-bottom:1px solid #ccc}</style></head>
            <body><h1>Fusebox</h1>
            """;
    private static final String FOOT = "</body></html>\n";

    private StatusPage() {}

    static HttpHeaders headers() {
        return JsonReplies.of("text/html; charset=utf-8")
                .with(
                        "Content-Security-Policy",
                        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none';"
                                + " form-action 'none'")
                .with("Referrer-Policy", "no-referrer");
    }

    static String of(List<ServerReport> servers, List<BreakerSnapshot> breakers) {
        StringBuilder page = new StringBuilder(HEAD);
        page.append("<h2>Servers</h2>\n<table><tr><th>server<th>status<th>tools<th>details</tr>\n");
        servers.forEach(server -> row(
                page,
                server.name(),
                server.status(),
                Integer.toString(server.tools().size()),
                what(server)));
        page.append("</table>\n<h2>Breakers</h2>\n");
        page.append("<table><tr><th>breaker<th>state<th>failures<th>calls<th>since<th>next probe</tr>\n");
        breakers.forEach(breaker -> row(
                page,
                breaker.name().toString(),
                breaker.state().toString(),
                Long.toString(breaker.failureCount()),
                Long.toString(breaker.totalCalls()),
                breaker.since().toString(),
                text(breaker.retryAt())));
        return page.append("</table>\n").append(FOOT).toString();
    }

    /// The last error is more precise than the status.
    private static String what(ServerReport server) {
        ServerReport.ServerError serverError = server.lastError();
        return serverError == null || serverError.message().equals(server.statusMessage())
                ? server.statusMessage()
                : server.statusMessage() + ": " + serverError.message();
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private static void row(StringBuilder page, String... cells) {
        page.append("<tr>");
        for (String cell : cells) {
            page.append("<td>").append(escaped(cell));
        }
        page.append("</tr>\n");
    }

    /// Escapes every character with a meaning in HTML, and control characters, which could be harmful when copied.
    static String escaped(String text) {
        return text.codePoints().mapToObj(StatusPage::escaped).collect(Collectors.joining());
    }

    private static String escaped(int character) {
        return switch (character) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            case '\'' -> "&#39;";
            default -> isPlain(character) ? Character.toString(character) : "\uFFFD";
        };
    }

    private static boolean isPlain(int character) {
        int type = Character.getType(character);
        return type != Character.CONTROL && type != Character.FORMAT && type != Character.SURROGATE;
    }
}
