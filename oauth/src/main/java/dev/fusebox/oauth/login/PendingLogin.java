package dev.fusebox.oauth.login;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A login in progress, or one that has failed, as other processes of this user see it. Immutable. Its text form does
/// not contain the URL.
///
/// @param url the page to open in a browser
/// @param userCode to enter there, for a login on another device; null for none
/// @param pid of the process that waits for the person
/// @param at when the person was asked, or when the login failed
/// @param failure why the login failed; null if it has not
public record PendingLogin(
        URI url,
        @Nullable String userCode,
        long pid,
        Instant at,
        @Nullable String failure) {
    PendingLogin failed(Instant when, String why) {
        return new PendingLogin(url, userCode, pid, when, why);
    }

    byte[] json() {
        return new JsonWriter()
                .beginObject()
                .name("url")
                .string(url.toString())
                .name("userCode")
                .string(userCode)
                .name("pid")
                .number(pid)
                .name("atMs")
                .number(at.toEpochMilli())
                .name("failure")
                .string(failure)
                .endObject()
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    /// Null if the content is damaged: the login can be finished where it was begun.
    static @Nullable PendingLogin read(byte[] content) {
        try {
            JsonView json = JsonView.parse(content);
            String url = json.string("url");
            JsonView pid = json.member("pid");
            JsonView at = json.member("atMs");
            if (url == null || pid == null || at == null) {
                return null;
            }
            return new PendingLogin(
                    URI.create(url),
                    json.string("userCode"),
                    Long.parseLong(pid.json()),
                    Instant.ofEpochMilli(Long.parseLong(at.json())),
                    json.string("failure"));
        } catch (JsonSyntaxError | IllegalArgumentException damaged) {
            return null;
        }
    }

    @Override
    public String toString() {
        return "PendingLogin[process " + pid + ", " + at + "]";
    }
}
