package dev.fusebox.oauth.login;

import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/// A page for the browser of a login: a heading and a sentence. It loads nothing and contains no text of others that
/// is not escaped. Immutable; [#send] blocks as [HttpReply#respond] does.
public final class LoginPage {
    private static final HttpHeaders HEADERS = HttpHeaders.of(
            "Content-Type", "text/html; charset=utf-8",
            "Content-Security-Policy",
                    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
            "Referrer-Policy", "no-referrer",
            "X-Content-Type-Options", "nosniff",
            "Cache-Control", "no-store");

    private final int status;
    private final String heading;
    private final String sentence;
    /// The element of its only link; empty if it has none.
    private final String link;

    private LoginPage(int status, String heading, String sentence, String link) {
        this.status = status;
        this.heading = heading;
        this.sentence = sentence;
        this.link = link;
    }

    static LoginPage of(int status, String heading, String sentence) {
        return new LoginPage(status, heading, sentence, "");
    }

    /// The same with a link.
    LoginPage withLink(String address, String text) {
        return new LoginPage(
                status, heading, sentence, "<p><a href=\"" + escaped(address) + "\">" + escaped(text) + "</a></p>");
    }

    /// Sends the browser to another address.
    static void redirect(URI target, HttpReply reply) {
        HttpHeaders headers = HttpHeaders.of(
                "Location", target.toASCIIString(), "Referrer-Policy", "no-referrer", "Cache-Control", "no-store");
        boolean _ = reply.respond(303, headers, new byte[0]);
    }

    /// The login succeeded.
    ///
    /// @param host of the server
    public static LoginPage loggedIn(String server, String host) {
        return of(
                200, "Logged in", "Fusebox is logged in to " + server + " (" + host + "). You can close this window.");
    }

    /// The login failed.
    public static LoginPage failed(String server, String reason) {
        return of(
                200,
                "Not logged in",
                "Fusebox is not logged in to " + server + ": " + reason
                        + ". The program that asked for the login shows what" + " to do.");
    }

    /// The authorization server or the person said no.
    ///
    /// @param reason in our words
    static LoginPage denied(String reason) {
        return of(
                200,
                "Not logged in",
                "Fusebox is not logged in: " + reason + ". You can close this window; to try again, start the login"
                        + " again.");
    }

    void send(HttpReply reply) {
        boolean _ = reply.respond(status, HEADERS, html().getBytes(StandardCharsets.UTF_8));
    }

    String html() {
        return "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Fusebox: " + escaped(heading)
                + "</title><h1>" + escaped(heading) + "</h1><p>" + escaped(sentence) + "</p>" + link + "</html>\n";
    }

    /// For text and for attributes in quotes.
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
