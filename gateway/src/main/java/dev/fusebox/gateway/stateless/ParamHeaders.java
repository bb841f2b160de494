package dev.fusebox.gateway.stateless;

import dev.fusebox.gateway.http.Headers;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Arguments of tools that stand in headers, too, as far as the lists of tools that passed have said so (revision
/// 2026-07-28, section "Custom Headers from Tool Parameters"). Thread-safe; nothing blocks.
final class ParamHeaders {
    private static final String ANNOTATION = "x-mcp-header";

    /// More tools than that with such arguments nobody offers; what is forgotten is not compared.
    private static final int MOST_TOOLS = 10_000;

    /// Longer than any number that fits in 64 bits, and short enough to be compared at once.
    private static final int LONGEST_NUMBER = 64;

    private final Map<String, List<Mirrored>> tools = new ConcurrentHashMap<>();

    /// One argument.
    ///
    /// @param header its name
    /// @param path of the argument, from property to property
    private record Mirrored(String header, List<String> path) {}

    /// Notes what a list of tools says.
    void learn(Message.Answer answer) {
        JsonView result = answer.result();
        JsonView listed = result == null ? null : result.member("tools");
        if (listed == null
                || !listed.isArray()
                || (tools.isEmpty() && !listed.json().contains(ANNOTATION))) {
            return;
        }
        for (JsonView tool : listed.elements()) {
            String name = tool.string("name");
            List<Mirrored> found = new ArrayList<>();
            collect(tool.member("inputSchema"), List.of(), found);
            if (name != null && (found.isEmpty() || tools.size() >= MOST_TOOLS)) {
                tools.remove(name);
            } else if (name != null) {
                tools.put(name, List.copyOf(found));
            }
        }
    }

    private static void collect(@Nullable JsonView schema, List<String> path, List<Mirrored> found) {
        JsonView properties = schema == null ? null : schema.member("properties");
        if (properties == null) {
            return;
        }
        properties.forEachMember((name, property) -> {
            List<String> inner = new ArrayList<>(path);
            inner.add(name);
            String header = property.string(ANNOTATION);
            if (header != null && !header.isEmpty()) {
                found.add(new Mirrored("Mcp-Param-" + header, List.copyOf(inner)));
            }
            collect(property, inner, found);
        });
    }

    /// Null if the headers say what the arguments say.
    @Nullable
    Refusal check(Headers headers, Message.Request request) {
        JsonView params = request.params();
        String name = params == null || !request.method().equals("tools/call") ? null : params.string("name");
        List<Mirrored> all = name == null ? null : tools.get(name);
        if (params == null || all == null) {
            return null;
        }
        JsonView arguments = params.member("arguments");
        for (Mirrored mirrored : all) {
            JsonView value =
                    arguments == null ? null : arguments.path(mirrored.path().toArray(String[]::new));
            String problem = problem(headers.values(mirrored.header()), value);
            if (problem != null) {
                return Refusal.headerMismatch(mirrored.header() + " " + problem);
            }
        }
        return null;
    }

    private static @Nullable String problem(List<String> found, @Nullable JsonView value) {
        if (value == null || value.isNull()) {
            return found.isEmpty() ? null : "stands for an argument that is not there";
        }
        if (found.size() != 1) {
            return found.isEmpty() ? "is missing" : "stands more than once";
        }
        String decoded = RequestCheck.decoded(found.getFirst());
        return decoded != null && says(decoded, value) ? null : "says something else than the body";
    }

    private static boolean says(String header, JsonView value) {
        String text = value.string();
        String expected = text == null ? value.json() : text;
        return header.equals(expected) || (value.isNumber() && sameNumber(header, expected));
    }

    private static boolean sameNumber(String header, String body) {
        if (header.length() > LONGEST_NUMBER || body.length() > LONGEST_NUMBER) {
            return false;
        }
        try {
            return new BigDecimal(header).compareTo(new BigDecimal(body)) == 0;
        } catch (NumberFormatException notANumber) {
            return false;
        }
    }
}
