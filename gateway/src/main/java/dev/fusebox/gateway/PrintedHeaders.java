package dev.fusebox.gateway;

import dev.fusebox.client.http.RequestAuthorizer.Authorization;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.http.RequestHeaders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/// The headers of one run of a program, `{"headers": {"NAME": "VALUE"}, "expiresAt": TIME}`. The time is a text of
/// RFC 3339 or a number of seconds since 1970, and may be left out. Immutable; two runs are never equal. Its text
/// form contains no value.
final class PrintedHeaders {
    private static final int MAX_HEADERS = 50;
    private static final Duration USUAL_LIFETIME = Duration.ofMinutes(5);

    /// A request that is sent just before the expiry may arrive after it.
    private static final Duration LONGEST_MARGIN = Duration.ofSeconds(10);

    private static final int MARGIN_SHARE = 20;

    private final List<String> fields;
    private final Instant usableUntil;

    private PrintedHeaders(List<String> fields, Instant usableUntil) {
        this.fields = List.copyOf(fields);
        this.usableUntil = usableUntil;
    }

    /// @throws IOException if it is not of that form, has a header that may not be sent, or has expired; the
    /// message contains no value
    static PrintedHeaders read(String output, Instant now) throws IOException {
        try {
            JsonView json = JsonView.parse(output.getBytes(StandardCharsets.UTF_8));
            Instant expiresAt = expiresAt(json, now);
            if (!now.isBefore(expiresAt)) {
                throw new IOException("printed headers that have expired");
            }
            Duration share = Duration.between(now, expiresAt).dividedBy(MARGIN_SHARE);
            Duration margin = share.compareTo(LONGEST_MARGIN) < 0 ? share : LONGEST_MARGIN;
            return new PrintedHeaders(fields(json), expiresAt.minus(margin));
        } catch (JsonSyntaxError noJson) {
            // Without the cause: its message could quote a value.
            throw new IOException("printed no JSON object with headers");
        }
    }

    private static List<String> fields(JsonView json) throws IOException {
        JsonView headers = json.member("headers");
        if (headers == null || !headers.isObject()) {
            throw new IOException("printed no JSON object with headers");
        }
        List<String> fields = new ArrayList<>();
        List<String> names = new ArrayList<>();
        headers.forEachMember((name, value) -> names.add(name));
        if (names.size() > MAX_HEADERS) {
            throw new IOException("printed more than " + MAX_HEADERS + " headers");
        }
        Set<String> known = new HashSet<>();
        for (String name : names) {
            String value = headers.string(name);
            if (value == null || !known.add(name.toLowerCase(Locale.ROOT))) {
                throw new IOException("printed a header whose value is no text, or two of the same name");
            }
            check(name, value);
            fields.add(name);
            fields.add(value);
        }
        return fields;
    }

    private static void check(String name, String value) throws IOException {
        try {
            RequestHeaders.check(name, value);
        } catch (IllegalArgumentException forbidden) {
            throw new IOException("printed a header that cannot be sent: " + forbidden.getMessage(), forbidden);
        }
    }

    private static Instant expiresAt(JsonView json, Instant now) throws IOException {
        JsonView member = json.member("expiresAt");
        if (member == null || member.json().equals("null")) {
            return now.plus(USUAL_LIFETIME);
        }
        String text = member.string();
        try {
            return text == null
                    ? Instant.ofEpochSecond(Long.parseLong(member.json()))
                    : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException | NumberFormatException noTime) {
            throw new IOException(
                    "printed an expiresAt that is neither a time like 2026-11-29T08:00:00Z nor a number of seconds",
                    noTime);
        }
    }

    boolean isUsable(Instant now) {
        return now.isBefore(usableUntil);
    }

    Authorization.Granted granted() {
        return new Authorization.Granted(fields, this);
    }

    /// The values and each part of them, since a text may contain a token without its scheme.
    List<String> values() {
        List<String> values = new ArrayList<>();
        for (int i = 1; i < fields.size(); i += 2) {
            String value = fields.get(i);
            Stream.concat(Stream.of(value), Stream.of(value.split("[ \t,;]+", -1)))
                    .filter(text -> !text.equalsIgnoreCase("bearer"))
                    .forEach(values::add);
        }
        return values;
    }

    Redactor secrets() {
        return Redactor.of(values());
    }

    @Override
    public String toString() {
        return "PrintedHeaders[until " + usableUntil + "]";
    }
}
