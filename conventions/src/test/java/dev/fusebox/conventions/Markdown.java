package dev.fusebox.conventions;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A Markdown document of the checkout: its path from the root and its text. Immutable.
record Markdown(String name, String text) {
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```[ \\t]*$");
    private static final Pattern CODE = Pattern.compile("`[^`\\n]*`");
    private static final Pattern LINK =
            Pattern.compile("]\\(<?([^)\\s>]+)>?(?:\\s+\"[^\"]*\")?\\)|(?m)^\\[[^]]+]:\\s*(\\S+)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6}[ \\t]+(.+?)[ \\t]*#*$");
    private static final Pattern CHAPTER = Pattern.compile("(?m)^## +(.+?) *$");
    private static final Pattern EXCERPT = Pattern.compile(
            "(?m)^<!-- from: *(?<file>[^#\\s]+)#(?<region>\\S+) *-->[ \\t]*\\n(?:```java *\\n(?<code>(?s:.*?))^```)?");

    /// A Java block that names the source region that it repeats. Empty code: the block is missing.
    record Excerpt(String file, String region, String code) {}

    List<String> links() {
        return LINK.matcher(withoutCode())
                .results()
                .map(link -> link.group(1) == null ? link.group(2) : link.group(1))
                .toList();
    }

    /// The headings of the second level.
    List<String> chapters() {
        return CHAPTER.matcher(withoutFences())
                .results()
                .map(heading -> heading.group(1))
                .toList();
    }

    String title() {
        return text.lines().findFirst().orElse("");
    }

    /// The anchors to which a link into this document may point.
    List<String> anchors() {
        var anchors = new ArrayList<String>();
        HEADING.matcher(withoutFences())
                .results()
                .map(heading -> heading.group(1))
                .forEach(heading -> {
                    String anchor = anchorOf(heading);
                    long before = anchors.stream()
                            .filter(it -> it.equals(anchor) || it.matches(Pattern.quote(anchor) + "-\\d+"))
                            .count();
                    anchors.add(before == 0 ? anchor : anchor + "-" + before);
                });
        return anchors;
    }

    List<Excerpt> excerpts() {
        return EXCERPT.matcher(text).results().map(Markdown::excerpt).toList();
    }

    /// The lines of a source between `// region: NAME` and `// end: NAME`; empty if the region is missing, several
    /// if it occurs more than once.
    static List<String> regions(String source, String name) {
        var found = new ArrayList<String>();
        Pattern region = Pattern.compile("(?ms)^[ \\t]*// region: %1$s[ \\t]*\\n(.*?)^[ \\t]*// end: %1$s[ \\t]*$"
                .formatted(Pattern.quote(name)));
        region.matcher(source)
                .results()
                .forEach(match -> found.add(match.group(1).stripTrailing().stripIndent()));
        return found;
    }

    private static Excerpt excerpt(MatchResult match) {
        String code = Objects.requireNonNullElse(match.group("code"), "");
        return new Excerpt(
                match.group("file"), match.group("region"), code.stripTrailing().stripIndent());
    }

    private static String anchorOf(String heading) {
        return Stream.of(heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").toLowerCase(Locale.ROOT))
                .map(it -> it.replaceAll("[^\\p{L}\\p{N} _-]", ""))
                .map(it -> it.replace(' ', '-'))
                .findFirst()
                .orElseThrow();
    }

    private String withoutFences() {
        return FENCED.matcher(text).replaceAll("");
    }

    private String withoutCode() {
        return CODE.matcher(withoutFences()).replaceAll("");
    }
}
