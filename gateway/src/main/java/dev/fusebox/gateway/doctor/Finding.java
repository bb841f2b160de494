package dev.fusebox.gateway.doctor;

import dev.fusebox.gateway.errors.ErrorId;
import dev.fusebox.protocol.HiddenCharacters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one check has found. Immutable.
///
/// @param errorId what is wrong; null if nothing is
/// @param cause what was found, as a sentence without an end
/// @param evidence what shows it, a line each
/// @param decisive the index of the line of evidence that says why, which a short report shows first; -1 if none
/// does
/// @param remedy a command, or a place in a file and what to do there; null if there is nothing to do
public record Finding(
        Check check,
        @Nullable ErrorId errorId,
        Severity severity,
        String cause,
        List<String> evidence,
        int decisive,
        @Nullable String remedy) {
    public Finding {
        // What servers say may end as a sentence does, and goes on here.
        cause = HiddenCharacters.of(cause).replaceAll("(?<!\\.)\\.; ", "; ");
        evidence = evidence.stream().map(HiddenCharacters::of).toList();
    }

    /// All is well.
    public static Finding ok(Check check, String cause) {
        return new Finding(check, null, Severity.OK, cause, List.of(), -1, null);
    }

    /// It works all the same.
    public static Finding warn(Check check, ErrorId errorId, String cause) {
        return new Finding(check, errorId, Severity.WARN, cause, List.of(), -1, null);
    }

    /// A list of a server fails whose tools can be used.
    public static Finding listFailed(String cause) {
        return warn(Check.LISTS, ErrorId.LIST_FAILED, cause)
                .mendedBy("mend what the message names; the server's tools and its other lists are used without it");
    }

    /// It does not work.
    public static Finding fail(Check check, ErrorId errorId, String cause) {
        return new Finding(check, errorId, Severity.FAIL, cause, List.of(), -1, null);
    }

    /// The same, shown by these lines.
    public Finding shownBy(List<String> lines) {
        return shownBy(lines, -1);
    }

    /// The same, shown by these lines, of which one says why.
    Finding shownBy(List<String> lines, int which) {
        return new Finding(check, errorId, severity, cause, lines, which, remedy);
    }

    /// The same, mended like that.
    public Finding mendedBy(String other) {
        return new Finding(check, errorId, severity, cause, evidence, decisive, other);
    }

    /// The id of what is wrong, or of the check if nothing is.
    public String id() {
        return errorId == null ? check.toString() : errorId.id();
    }
}
