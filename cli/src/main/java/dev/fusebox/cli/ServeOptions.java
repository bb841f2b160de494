package dev.fusebox.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/// What was asked of `serve`.
///
/// @param config the configuration file
/// @param overHttp whether clients come over HTTP, otherwise one over standard input and output
/// @param port to listen on; 0 for any free one
record ServeOptions(Path config, boolean overHttp, int port) {
    private static final int USUAL_PORT = 7332;

    /// What is wrong with the words.
    static final class Problem extends Exception {
        private static final long serialVersionUID = 1;

        Problem(String message) {
            super(message);
        }
    }

    static ServeOptions parse(List<String> words) throws Problem {
        Path config = Path.of(".mcp.json");
        boolean overHttp = false;
        int port = USUAL_PORT;
        boolean proxy = false;
        boolean noPrefix = false;
        Iterator<String> rest = words.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            switch (word) {
                case "--config" -> config = Path.of(value(word, rest));
                case "--transport" -> overHttp = isHttp(value(word, rest));
                case "--port" -> port = port(value(word, rest));
                case "--expose" -> proxy = isProxy(value(word, rest));
                case "--no-prefix" -> noPrefix = true;
                default ->
                    throw new Problem("serve does not know \"" + word + "\" yet; ./fusebox help shows what it knows");
            }
        }
        if (!proxy || !noPrefix) {
            throw new Problem("so far serve passes one server through as it is: add --expose proxy --no-prefix");
        }
        if (!Files.exists(config)) {
            throw new Problem(config + " does not exist; name a configuration with --config FILE");
        }
        return new ServeOptions(config, overHttp, port);
    }

    private static String value(String option, Iterator<String> rest) throws Problem {
        if (!rest.hasNext()) {
            throw new Problem(option + " needs a value");
        }
        return rest.next();
    }

    private static boolean isHttp(String transport) throws Problem {
        return switch (transport) {
            case "http" -> true;
            case "stdio" -> false;
            default -> throw new Problem("--transport is \"" + transport + "\"; it must be stdio or http");
        };
    }

    private static boolean isProxy(String expose) throws Problem {
        if (!expose.equals("proxy")) {
            throw new Problem("--expose is \"" + expose + "\"; so far it must be proxy");
        }
        return true;
    }

    private static int port(String text) throws Problem {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException noNumber) {
            // Said below, together with numbers that are no ports.
        }
        throw new Problem("--port is \"" + text + "\"; it must be a number from 0 to 65535");
    }
}
