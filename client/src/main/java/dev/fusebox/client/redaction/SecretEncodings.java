package dev.fusebox.client.redaction;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// Encodings of a secret that may appear in a text: plain, in JSON, in a URL, in HTML, in hexadecimal, and in
/// base64 at any offset. Pure functions.
final class SecretEncodings {
    /// Libraries differ in the characters that they leave unencoded in URLs.
    private static final List<String> KEPT_IN_URLS = List.of("", "!'()*~", "!'()*~;,/?:@&=+$#");

    private static final Pattern ESCAPE = Pattern.compile("%[0-9A-F]{2}");

    private SecretEncodings() {}

    static Set<String> of(String secret) {
        Set<String> forms = new LinkedHashSet<>();
        forms.add(secret);
        forms.add(json(secret, false));
        forms.add(json(secret, true));
        forms.add(json(secret, true).replace("/", "\\/"));
        forms.add(json(secret, false).replace("/", "\\/"));
        forms.add(html(secret));
        KEPT_IN_URLS.forEach(kept -> addUrl(secret, kept, forms));
        addBytes(secret.getBytes(StandardCharsets.UTF_8), forms);
        forms.removeIf(form -> form.length() < Redactor.SHORTEST);
        return forms;
    }

    private static String json(String secret, boolean asAscii) {
        StringBuilder json = new StringBuilder();
        secret.chars().forEach(c -> json.append(json((char) c, asAscii)));
        return json.toString();
    }

    private static String json(char c, boolean asAscii) {
        return switch (c) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            case '\b' -> "\\b";
            case '\f' -> "\\f";
            default -> c < ' ' || (asAscii && c > '~') ? String.format("\\u%04x", (int) c) : String.valueOf(c);
        };
    }

    private static String html(String secret) {
        return secret.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static void addUrl(String secret, String kept, Set<String> forms) {
        String encoded = URLEncoder.encode(secret, StandardCharsets.UTF_8);
        for (int i = 0; i < kept.length(); i++) {
            String plain = kept.substring(i, i + 1);
            encoded = encoded.replace(URLEncoder.encode(plain, StandardCharsets.UTF_8), plain);
        }
        UnaryOperator<String> lower =
                text -> ESCAPE.matcher(text).replaceAll(found -> found.group().toLowerCase(Locale.ROOT));
        for (String form : List.of(encoded, encoded.replace("+", "%20"))) {
            forms.add(form);
            forms.add(lower.apply(form));
        }
    }

    private static void addBytes(byte[] bytes, Set<String> forms) {
        forms.add(HexFormat.of().formatHex(bytes));
        forms.add(HexFormat.of().withUpperCase().formatHex(bytes));
        for (int before = 0; before < 3; before++) {
            forms.add(core(Base64.getEncoder(), bytes, before));
            forms.add(core(Base64.getUrlEncoder(), bytes, before));
        }
    }

    /// The base64 characters that depend on these bytes alone, after so many other bytes and before unknown ones:
    /// each character has six bits, and one that shares its bits with a neighbor is omitted.
    private static String core(Base64.Encoder encoder, byte[] bytes, int before) {
        byte[] shifted = new byte[before + bytes.length];
        System.arraycopy(bytes, 0, shifted, before, bytes.length);
        String encoded = encoder.withoutPadding().encodeToString(shifted);
        int from = (before * Byte.SIZE + 5) / 6;
        int to = shifted.length * Byte.SIZE / 6;
        return from < to ? encoded.substring(from, to) : "";
    }
}
