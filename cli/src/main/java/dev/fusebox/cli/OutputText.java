package dev.fusebox.cli;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Text of servers and files as a terminal may show it, and numbers with their nouns. Pure functions.
final class OutputText {
    private OutputText() {}

    /// The text on one line, without control and format characters.
    static String plain(@Nullable String text) {
        return text == null
                ? ""
                : text.codePoints()
                        .map(each -> isPlain(each) ? each : ' ')
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining());
    }

    private static boolean isPlain(int character) {
        int type = Character.getType(character);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }

    /// A number with a noun in singular or plural.
    static String counted(long number, String noun) {
        return counted(Long.toString(number), noun);
    }

    static String counted(String number, String noun) {
        String plural = noun.endsWith("y") ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s";
        return number + " " + (number.equals("1") ? noun : plural);
    }
}
