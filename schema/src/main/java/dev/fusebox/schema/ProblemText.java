package dev.fusebox.schema;

import com.networknt.schema.Error;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/// Messages for problems: short, and without long values from the arguments, which may be secret. Pure functions.
final class ProblemText {
    private static final int MAX_VALUE = 40;
    private static final int MAX_FROM_SCHEMA = 150;
    private static final int MAX_POINTER = 200;
    private static final int MAX_MESSAGE = 250;

    /// Their messages quote the schema, which the caller may see and needs.
    private static final Set<String> QUOTE_THE_SCHEMA = Set.of("enum", "const", "pattern", "required", "type");

    private ProblemText() {}

    static ArgumentProblem problem(Error error) {
        return new ArgumentProblem(pointer(String.valueOf(error.getInstanceLocation())), message(error));
    }

    private static String message(Error error) {
        String message = error.getMessage();
        Object[] quoted = error.getArguments();
        int longest = QUOTE_THE_SCHEMA.contains(error.getKeyword()) ? MAX_FROM_SCHEMA : MAX_VALUE;
        for (Object part : quoted == null ? new Object[0] : quoted) {
            String text = String.valueOf(part);
            message = text.length() > longest ? message.replace(text, cut(text, longest)) : message;
        }
        return cut(message, MAX_MESSAGE);
    }

    /// The names in a pointer come from the caller.
    private static String pointer(String whole) {
        String pointer = Arrays.stream(whole.split("/", -1))
                .map(name -> cut(name, MAX_VALUE))
                .collect(Collectors.joining("/"));
        return cut(pointer, MAX_POINTER);
    }

    /// On one line and without control characters.
    static String inLog(String text) {
        var plain = new StringBuilder();
        cut(text, MAX_MESSAGE)
                .codePoints()
                .map(it -> Character.isISOControl(it) ? '?' : it)
                .forEach(plain::appendCodePoint);
        return plain.toString();
    }

    static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 2)) ? longest - 2 : longest - 1;
        return text.substring(0, end) + "…";
    }
}
