package dev.fusebox.cli;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// The README as a reader types it: shell commands and files, from the top to the bottom. Immutable.
record ReadmeText(List<Step> steps) {
    /// A block of shell commands, or a file whose name stands in a comment before its block.
    private static final Pattern BLOCK = Pattern.compile(
            "(?m)^(?:<!-- file: (?<file>\\S+) -->\\R)?```(?<language>\\w+)\\R(?<text>(?s:.*?))^```[ \\t]*$");

    /// What a reader does with a block.
    sealed interface Step {
        record Type(String command) implements Step {}

        record Save(String file, String text) implements Step {}
    }

    static ReadmeText parse(String markdown) {
        return new ReadmeText(BLOCK.matcher(markdown)
                .results()
                .flatMap(block -> steps(block).stream())
                .toList());
    }

    private static List<Step> steps(MatchResult block) {
        String text = block.group("text");
        if (block.group("file") != null) {
            return List.of(new Step.Save(block.group("file"), text));
        }
        if (!block.group("language").equals("sh")) {
            return List.of();
        }
        return text.lines().<Step>map(Step.Type::new).toList();
    }
}
