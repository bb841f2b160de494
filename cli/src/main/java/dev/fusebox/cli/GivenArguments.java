package dev.fusebox.cli;

import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The arguments of a tool as they were typed. Immutable.
sealed interface GivenArguments {
    /// The size limit of a message to the gateway.
    int MAX_BYTES = 16 << 20;

    /// A JSON object.
    record Json(String object) implements GivenArguments {}

    /// Pairs whose types follow from the tool's schema.
    record Pairs(List<Pair> pairs) implements GivenArguments {
        public Pairs {
            pairs = List.copyOf(pairs);
        }
    }

    /// A JSON object on standard input.
    record StandardInput() implements GivenArguments {}

    /// One argument.
    ///
    /// @param isJson whether the value is JSON whatever the schema says (`KEY:=JSON`)
    record Pair(String key, String value, boolean isJson) {}

    /// Parses the arguments.
    ///
    /// @param words after the name of the tool
    static GivenArguments parse(List<String> words) throws ServeOptions.Problem {
        if (words.isEmpty()) {
            return new Json("{}");
        }
        String first = words.getFirst();
        boolean isAlone = words.size() == 1;
        if (isAlone && first.equals("-")) {
            return new StandardInput();
        }
        if (isAlone && (isWhole(first) || first.stripLeading().startsWith("["))) {
            return new Json(object(first, "the arguments are"));
        }
        List<Pair> pairs = new ArrayList<>();
        for (String word : words) {
            pairs.add(pair(word));
        }
        return new Pairs(pairs);
    }

    /// Whether a word is an argument and not a name.
    static boolean isOne(String word) {
        return word.equals("-")
                || word.contains("=")
                || isWhole(word)
                || word.stripLeading().startsWith("[");
    }

    private static boolean isWhole(String word) {
        return word.stripLeading().startsWith("{");
    }

    private static Pair pair(String word) throws ServeOptions.Problem {
        boolean isWhole = word.equals("-") || isWhole(word);
        int at = word.indexOf('=');
        if (isWhole || at < 1 || word.startsWith(":=")) {
            String found = isWhole ? "\"" + word + "\" together with other arguments" : "\"" + word + "\"";
            throw new ServeOptions.Problem(
                    "expected KEY=VALUE arguments, one JSON object, or - for standard input; found " + found + "; see `"
                            + FuseboxCommand.of("help", "call") + "`");
        }
        boolean isJson = word.charAt(at - 1) == ':';
        return new Pair(word.substring(0, isJson ? at - 1 : at), word.substring(at + 1), isJson);
    }

    /// Reads an object up to the end of the stream; blocks until the writer closes it.
    static String read(InputStream in) throws ServeOptions.Problem, IOException {
        byte[] text = in.readNBytes(MAX_BYTES + 1);
        if (text.length > MAX_BYTES) {
            throw new ServeOptions.Problem("standard input exceeds the limit of " + MAX_BYTES + " bytes");
        }
        return object(new String(text, StandardCharsets.UTF_8), "standard input is");
    }

    private static String object(String text, String what) throws ServeOptions.Problem {
        try {
            if (JsonView.parse(text.getBytes(StandardCharsets.UTF_8)).isObject()) {
                return text;
            }
            throw new ServeOptions.Problem("tool arguments must be a JSON object, such as {\"path\": \"a.txt\"}");
        } catch (JsonSyntaxError noJson) {
            throw new ServeOptions.Problem(what + " not JSON: " + noJson.getMessage());
        }
    }
}
