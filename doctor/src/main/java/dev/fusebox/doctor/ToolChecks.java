package dev.fusebox.doctor;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Outcome;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Checks of a server's complete tool list. For one thread; blocks for as long as the server takes for each page.
/// Used once.
final class ToolChecks {
    private static final int MAX_PAGES = 100;
    private static final int MAX_NAMED = 5;

    /// The approximate size of a token of English and JSON.
    private static final int BYTES_PER_TOKEN = 4;

    private final PageReader pageReader;
    private final Map<String, String> known = new HashMap<>();
    private final List<String> invalid = new ArrayList<>();
    private final List<String> doubled = new ArrayList<>();
    private final List<String> hidden = new ArrayList<>();
    private long bytes;
    private int pages;

    /// A request for one page.
    @FunctionalInterface
    interface PageReader {
        /// The parameters are passed without braces.
        Outcome page(String members);
    }

    ToolChecks(PageReader pageReader) {
        this.pageReader = pageReader;
    }

    /// The end of reading: with a failure, with a problem of the list, or complete.
    final class Result {
        private final @Nullable CallFailure failure;
        private final @Nullable Finding complaint;

        private Result(@Nullable CallFailure failure, @Nullable Finding complaint) {
            this.failure = failure;
            this.complaint = complaint;
        }

        boolean isAlive() {
            return failure == null;
        }

        List<Finding> findings(FailureDiagnosis failureDiagnosis) {
            List<Finding> findings = new ArrayList<>();
            if (failure != null) {
                findings.add(failureDiagnosis.of(Check.TOOLS, failure, "tools/list"));
                return findings;
            }
            findings.add(complaint == null ? Finding.ok(Check.TOOLS, count()) : complaint);
            add(findings, ErrorId.TOOL_INVALID, "are invalid and not served", invalid);
            add(
                    findings,
                    ErrorId.HIDDEN_TEXT,
                    "contain hidden characters; Fusebox removes them from its output",
                    hidden);
            add(findings, ErrorId.TOOL_NAME_TWICE, "have the same name as another one, ignoring case", doubled);
            return findings;
        }
    }

    long tools() {
        return known.size();
    }

    long tokens() {
        return bytes / BYTES_PER_TOKEN;
    }

    private String count() {
        String words = known.size() + (known.size() == 1 ? " tool" : " tools");
        return words + " on " + pages + (pages == 1 ? " page" : " pages") + ", about " + tokens() + " tokens";
    }

    private static void add(List<Finding> findings, ErrorId errorId, String what, List<String> names) {
        if (!names.isEmpty()) {
            List<String> shown = names.subList(0, Math.min(MAX_NAMED, names.size()));
            findings.add(Finding.warn(Check.TOOLS, errorId, names.size() + " of its tools " + what)
                    .shownBy(shown)
                    .withRemedy("report it to the server's author; other servers are not affected"));
        }
    }

    // ---- Pages

    Result run() {
        Set<String> cursors = new HashSet<>();
        String cursor = null;
        do {
            Outcome outcome = pageReader.page(cursor == null ? "" : "\"cursor\":" + JsonWriter.quoted(cursor));
            if (outcome instanceof Outcome.Failed(CallFailure failure)) {
                return new Result(failure, null);
            }
            JsonView result = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.result() : null;
            JsonView listed = result == null ? null : result.member("tools");
            if (result == null || listed == null || !listed.isArray()) {
                return new Result(null, unlisted(outcome));
            }
            pages++;
            listed.elements().forEach(this::take);
            cursor = result.string("nextCursor");
            if (cursor != null && (pages == MAX_PAGES || !cursors.add(cursor))) {
                return new Result(null, endless());
            }
            if (cursor == null && isGiven(result.member("nextCursor"))) {
                return new Result(null, unreadable());
            }
        } while (cursor != null);
        return new Result(null, null);
    }

    private static boolean isGiven(@Nullable JsonView member) {
        return member != null && !member.isNull();
    }

    private Finding unlisted(Outcome outcome) {
        JsonView code = outcome instanceof Outcome.Answered(Message.Answer answer)
                ? answer.frame().path("error", "code")
                : null;
        if (pages == 0 && code != null && code.json().equals("-32601")) {
            return Finding.ok(Check.TOOLS, "it has no tools");
        }
        String cause = code == null
                ? "its response to tools/list contains no list"
                : "tools/list was rejected: " + LiveChecks.error(outcome);
        return Finding.fail(Check.TOOLS, ErrorId.TOOLS_UNLISTED, cause)
                .withRemedy("read the server's own log, and report it to its author");
    }

    private Finding endless() {
        return Finding.warn(Check.TOOLS, ErrorId.TOOLS_ENDLESS, "its tool list did not end after " + pages + " pages")
                .shownBy(List.of(count()))
                .withRemedy("report it to the server's author; the tools read so far are served");
    }

    private Finding unreadable() {
        return Finding.warn(
                        Check.TOOLS,
                        ErrorId.TOOLS_ENDLESS,
                        "nextCursor on page " + pages + " of its tool list is not a string; later pages cannot be read")
                .shownBy(List.of(count()))
                .withRemedy("report it to the server's author; the tools read so far are served");
    }

    /// A tool without a name or an input schema is invalid.
    private void take(JsonView tool) {
        String name = tool.string("name");
        JsonView schema = tool.member("inputSchema");
        if (name == null || name.isBlank() || schema == null || !schema.isObject()) {
            invalid.add(name == null ? "one without a name" : plain(name) + ": inputSchema is not an object");
            return;
        }
        if (HiddenCharacters.hasHidden(name)) {
            invalid.add(HiddenCharacters.line(name) + ": control or hidden characters in its name");
            return;
        }
        if (HiddenCharacters.hasHidden(tool)) {
            hidden.add(name);
        }
        String other = known.putIfAbsent(name.toLowerCase(Locale.ROOT), name);
        if (other == null) {
            bytes += tool.length();
        } else {
            doubled.add(plain(name));
        }
    }

    private static String plain(String text) {
        return text.replaceAll("\\p{C}", " ");
    }
}
