package dev.fusebox.cli;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// An HTTP/1.1 response of a gateway, with a `Content-Length`. Immutable; reading blocks.
///
/// @param fields headers by lower-case name
/// @param text of the body
record PlainHttpResponse(int status, Map<String, String> fields, String text) {
    PlainHttpResponse {
        fields = Map.copyOf(fields);
    }

    private static final String LENGTH = "content-length";

    /// @param longest the size limit of the body
    /// @throws IOException if it is not such a response or ends too soon
    static PlainHttpResponse read(InputStream in, int longest) throws IOException {
        String[] first = line(in).split(" ", 3);
        Map<String, String> fields = new HashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = Math.max(0, line.indexOf(':'));
            fields.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int status = number(first.length < 2 ? "" : first[1]);
        int length = number(fields.getOrDefault(LENGTH, "0"));
        if (length > longest) {
            throw new IOException("the response of " + length + " bytes exceeds the limit of " + longest);
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the gateway closed the connection in the middle of a response");
        }
        return new PlainHttpResponse(status, fields, new String(body, StandardCharsets.UTF_8));
    }

    private static int number(String text) throws IOException {
        if (!text.matches("\\d{1,9}")) {
            throw new IOException("the response is not from a gateway");
        }
        return Integer.parseInt(text);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the gateway closed the connection before it responded");
            }
            line.append((char) b);
        }
        return line.toString().stripTrailing();
    }
}
