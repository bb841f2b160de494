package dev.fusebox.gateway.observe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A checker of Prometheus text against the grammar, and against further rules of its documentation: one group of
/// lines for each family, help and type first, no duplicate sample, totals for counters. For one thread.
public final class StrictExposition {
    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\"";
    private static final Pattern SAMPLE = Pattern.compile("(?<name>" + NAME + ")(?<labels>\\{" + LABEL + "(?:," + LABEL
            + ")*\\})? (?<value>[+-]?(?:\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|Inf)|NaN)");
    private static final Pattern HEAD = Pattern.compile("# (?<what>HELP|TYPE) (?<name>" + NAME + ") (?<text>.+)");
    private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram", "summary", "untyped");

    private final List<String> problems = new ArrayList<>();
    private final Set<String> samples = new HashSet<>();
    private final Map<String, String> types = new HashMap<>();
    private final Set<String> helped = new HashSet<>();
    private String family = "";

    private StrictExposition() {}

    /// The errors, one sentence each.
    public static List<String> problems(String text) {
        StrictExposition check = new StrictExposition();
        if (!text.endsWith("\n")) {
            check.problems.add("the last line does not end");
        }
        text.lines().forEach(check::line);
        return check.problems;
    }

    private void line(String line) {
        Matcher head = HEAD.matcher(line);
        Matcher sample = SAMPLE.matcher(line);
        if (head.matches()) {
            head(line, head);
        } else if (sample.matches()) {
            sample(line, sample);
        } else {
            problems.add("neither a comment nor a sample: " + line);
        }
    }

    private void head(String line, Matcher head) {
        String name = head.group("name");
        if (head.group("what").equals("HELP")) {
            require(helped.add(name), "a second help", line);
            family = name;
            return;
        }
        require(family.equals(name), "a type without the help before it", line);
        require(types.put(name, head.group("text")) == null, "a second type", line);
        require(TYPES.contains(head.group("text")), "a type that there is not", line);
        require(!head.group("text").equals("counter") || name.endsWith("_total"), "a counter that is no total", line);
    }

    private void sample(String line, Matcher sample) {
        String name = sample.group("name");
        String type = types.getOrDefault(family, "");
        boolean isHistogram = type.equals("histogram");
        boolean isOfFamily = isHistogram
                ? Set.of(family + "_bucket", family + "_sum", family + "_count").contains(name)
                : name.equals(family);
        require(isOfFamily && !type.isEmpty(), "a sample outside of its family", line);
        require(samples.add(name + sample.group("labels")), "a second sample", line);
        require(!type.equals("counter") || !sample.group("value").startsWith("-"), "a counter below zero", line);
    }

    private void require(boolean isSo, String otherwise, String line) {
        if (!isSo) {
            problems.add(otherwise + ": " + line);
        }
    }
}
