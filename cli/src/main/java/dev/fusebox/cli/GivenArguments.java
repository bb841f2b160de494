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
    /// As much as a message to the gateway may hold.
    int MOST_BYTES = 16 << 20;

    /// An object, as JSON.
    record Json(String object) implements GivenArguments {}

    /// Words that the schema of the tool gives types to.
    record Pairs(List<Pair> pairs) implements GivenArguments {
        public Pairs {
            pairs = List.copyOf(pairs);
        }
    }

    /// An object, as JSON on standard input.
    record StandardInput() implements GivenArguments {}

    /// One word.
    ///
    /// @param isJson whether the value is JSON whatever the schema says (`KEY:=JSON`)
    record Pair(String key, String value, boolean isJson) {}

    /// Reads what was typed.
    ///
    /// @param words that follow the name of the tool
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

    /// Whether a word looks like arguments, and not like a name.
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
            String found = isWhole ? "\"" + word + "\" beside other words" : "\"" + word + "\"";
            throw new ServeOptions.Problem(
                    "call takes KEY=VALUE words, or one JSON object, or - for standard input; found " + found + "; `"
                            + FuseboxCommand.of("help", "call") + "` has examples");
        }
        boolean isJson = word.charAt(at - 1) == ':';
        return new Pair(word.substring(0, isJson ? at - 1 : at), word.substring(at + 1), isJson);
    }

    /// An object, read to the end of the stream; blocks until its writer closes it.
    static String read(InputStream in) throws ServeOptions.Problem, IOException {
        byte[] text = in.readNBytes(MOST_BYTES + 1);
        if (text.length > MOST_BYTES) {
            throw new ServeOptions.Problem(
                    "standard input is longer than " + MOST_BYTES + " bytes, which no gateway takes");
        }
        return object(new String(text, StandardCharsets.UTF_8), "standard input is");
    }

    private static String object(String text, String what) throws ServeOptions.Problem {
        try {
            if (JsonView.parse(text.getBytes(StandardCharsets.UTF_8)).isObject()) {
                return text;
            }
            throw new ServeOptions.Problem("the arguments of a tool are a JSON object, such as {\"path\": \"a.txt\"}");
        } catch (JsonSyntaxError noJson) {
            throw new ServeOptions.Problem(what + " not JSON: " + noJson.getMessage());
        }
    }
}
