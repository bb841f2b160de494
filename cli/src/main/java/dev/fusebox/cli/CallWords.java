package dev.fusebox.cli;

import dev.fusebox.world.FuseboxCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What call was asked for. Immutable.
///
/// @param limit how long the answer may take; null for as long as the server is given
/// @param gateway whose process is meant; null if there is only one
/// @param config the file of the servers; null for whichever a gateway runs by, or the usual one
record CallWords(
        String server,
        String tool,
        GivenArguments arguments,
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
        int slash = names.isEmpty() ? -1 : names.getFirst().indexOf('/');
        int taken = slash < 0 ? 2 : 1;
        if (names.size() < taken
                || slash == 0
                || (slash > 0 && slash == names.getFirst().length() - 1)) {
            throw new ServeOptions.Problem("call takes SERVER/TOOL and perhaps arguments, as in `"
                    + FuseboxCommand.of("call", "files/read", "path=a.txt") + "`");
        }
        String server = slash < 0 ? names.get(0) : names.get(0).substring(0, slash);
        String tool = slash < 0 ? names.get(1) : names.get(0).substring(slash + 1);
        GivenArguments arguments = GivenArguments.parse(names.subList(taken, names.size()));
        return new CallWords(server, tool, arguments, plain.asJson(), limit, plain.gateway(), config);
    }

    CallWords with(GivenArguments other) {
        return new CallWords(server, tool, other, asJson, limit, gateway, config);
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
}
