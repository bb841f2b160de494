package dev.fusebox.testkit.server;

import com.sun.net.httpserver.Headers;
import dev.fusebox.protocol.JsonView;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An argument of a tool that stands in a header, too (2026-07-28, Streamable HTTP, custom headers). Immutable.
///
/// @param name of the header
/// @param path of the argument, from property to property
record MirroredHeader(String name, List<String> path) {
    private static final String BEGIN = "=?base64?";
    private static final String END = "?=";

    /// All of a schema, those of inner objects included.
    static List<MirroredHeader> in(JsonView schema) {
        var found = new ArrayList<MirroredHeader>();
        collect(schema, List.of(), found);
        return found;
    }

    private static void collect(JsonView schema, List<String> path, List<MirroredHeader> found) {
        JsonView properties = schema.member("properties");
        if (properties == null) {
            return;
        }
        properties.forEachMember((name, property) -> {
            var inner = new ArrayList<>(path);
            inner.add(name);
            String header = property.string("x-mcp-header");
            if (header != null) {
                found.add(new MirroredHeader("Mcp-Param-" + header, inner));
            }
            collect(property, inner, found);
        });
    }

    void check(Headers headers, @Nullable JsonView arguments) throws RpcError {
        JsonView value = arguments == null ? null : arguments.path(path.toArray(String[]::new));
        String header = headers.getFirst(name);
        boolean absent = value == null || value.isNull();
        if (absent && header == null) {
            return;
        }
        if (value == null || header == null || !same(decoded(name, header.strip()), value)) {
            throw RpcError.headerMismatch("the header " + name + " says " + header + ", the body says " + value);
        }
    }

    private static boolean same(String header, JsonView value) {
        String text = value.string();
        if (text != null) {
            return header.equals(text);
        }
        return header.equals(value.json()) || (value.isNumber() && sameNumber(header, value.json()));
    }

    private static boolean sameNumber(String header, String body) {
        try {
            return new BigDecimal(header).compareTo(new BigDecimal(body)) == 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /// The value of a header without the wrapping that carries what headers cannot.
    static String decoded(String name, String header) throws RpcError {
        String value = header.strip();
        if (value.chars().anyMatch(c -> c != '\t' && (c < ' ' || c > '~'))) {
            throw RpcError.headerMismatch("the header " + name + " has characters that no header has");
        }
        boolean wrapped =
                value.startsWith(BEGIN) && value.endsWith(END) && value.length() >= BEGIN.length() + END.length();
        if (!wrapped) {
            return value;
        }
        String inside = value.substring(BEGIN.length(), value.length() - END.length());
        try {
            if (inside.length() % 4 != 0) {
                throw new IllegalArgumentException("padding is missing");
            }
            return new String(Base64.getDecoder().decode(inside), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw RpcError.headerMismatch("the header " + name + " is no Base64: " + e.getMessage());
        }
    }
}
