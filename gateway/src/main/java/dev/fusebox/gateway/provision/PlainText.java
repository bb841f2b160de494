package dev.fusebox.gateway.provision;

import java.util.stream.Collectors;

/// Sanitizer of registry text for models and people. Pure functions.
final class PlainText {
    private PlainText() {}

    /// On one line, without invisible or bidirectional characters, and cut to a number of characters.
    static String of(String text, int most) {
        String plain = text.codePoints()
                .limit(4L * most)
                .map(each -> isSeen(each) ? each : ' ')
                .mapToObj(Character::toString)
                .collect(Collectors.joining())
                .strip()
                .replaceAll(" {2,}", " ");
        int length = plain.codePointCount(0, plain.length());
        return length <= most ? plain : plain.substring(0, plain.offsetByCodePoints(0, most)) + "...";
    }

    private static boolean isSeen(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    /// Whether it contains no lookalike letters, and a person can see all of it.
    static boolean isAscii(String text) {
        return text.chars().allMatch(each -> each >= ' ' && each <= '~');
    }
}
