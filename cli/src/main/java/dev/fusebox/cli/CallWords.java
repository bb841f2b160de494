package dev.fusebox.cli;

import dev.fusebox.protocol.JsonFault;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.world.FuseboxCommand;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What call was asked for. Immutable.
///
/// @param arguments an object, as JSON
/// @param limit how long the answer may take; null for as long as the server is given
/// @param gateway whose process is meant; null if there is only one
/// @param config the file of the servers; null for whichever a gateway runs by, or the usual one
record CallWords(
        String server,
        String tool,
        String arguments,
        boolean asJson,
        @Nullable Duration limit,
        @Nullable Long gateway,
        @Nullable Path config) {
    /// The gateway takes no longer one.
    private static final Duration LONGEST = Duration.ofDays(1);

    static CallWords parse(List<String> words) throws ServeOptions.Problem {
        Duration limit = null;
        Path config = null;
        List<String> rest = new ArrayList<>();
        Iterator<String> each = words.iterator();
        while (each.hasNext()) {
            String word = each.next();
            switch (word) {
                case "--timeout" -> limit = limit(each.hasNext() ? each.next() : "");
                case "--config" -> config = Config.path(each.hasNext() ? each.next() : null);
                default -> rest.add(word);
            }
        }
        SteeringWords plain = SteeringWords.parse("call", rest);
        List<String> names = plain.names();
        if (names.size() < 2 || names.size() > 3) {
            throw new ServeOptions.Problem("call takes SERVER TOOL and perhaps arguments, as in `"
                    + FuseboxCommand.of("call", "files", "read", "{\"path\": \"a.txt\"}") + "`");
        }
        String arguments = names.size() == 3 ? object(names.get(2)) : "{}";
        return new CallWords(names.get(0), names.get(1), arguments, plain.asJson(), limit, plain.gateway(), config);
    }

    private static Duration limit(String text) throws ServeOptions.Problem {
        if (!text.matches("[1-9]\\d{0,8}")) {
            throw new ServeOptions.Problem("--timeout is \"" + text + "\"; it must be milliseconds");
        }
        Duration limit = Duration.ofMillis(Long.parseLong(text));
        if (limit.compareTo(LONGEST) > 0) {
            throw new ServeOptions.Problem(
                    "--timeout is \"" + text + "\"; no call takes more than a day (" + LONGEST.toMillis() + ")");
        }
        return limit;
    }

    private static String object(String text) throws ServeOptions.Problem {
        try {
            if (JsonView.parse(text.getBytes(StandardCharsets.UTF_8)).isObject()) {
                return text;
            }
            throw new ServeOptions.Problem("the arguments of a tool are a JSON object, such as {\"path\": \"a.txt\"}");
        } catch (JsonFault noJson) {
            throw new ServeOptions.Problem("the arguments are not JSON: " + noJson.getMessage());
        }
    }
}
