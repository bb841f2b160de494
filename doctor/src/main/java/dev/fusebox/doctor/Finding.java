package dev.fusebox.doctor;

import dev.fusebox.client.ErrorId;
import dev.fusebox.protocol.HiddenCharacters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of one check. Immutable.
///
/// @param errorId what is wrong; null if nothing is
/// @param cause what was found, without a final full stop
/// @param evidence the observations, one per line
/// @param decisive the index of the line of evidence that names the cause, which a short report shows first; -1 if
/// none does
/// @param remedy a command, or a location in a file with the necessary change; null if there is nothing to do
public record Finding(
        Check check,
        @Nullable ErrorId errorId,
        Severity severity,
        String cause,
        List<String> evidence,
        int decisive,
        @Nullable String remedy) {
    public Finding {
        // A server's text may end with a full stop, and is continued here.
        cause = HiddenCharacters.of(cause).replaceAll("(?<!\\.)\\.; ", "; ");
        evidence = evidence.stream().map(HiddenCharacters::of).toList();
    }

    /// A passed check.
    public static Finding ok(Check check, String cause) {
        return new Finding(check, null, Severity.OK, cause, List.of(), -1, null);
    }

    /// A problem that does not prevent use.
    public static Finding warn(Check check, ErrorId errorId, String cause) {
        return new Finding(check, errorId, Severity.WARN, cause, List.of(), -1, null);
    }

    /// A list of a server fails while its tools are usable.
    public static Finding listFailed(String cause) {
        return warn(Check.LISTS, ErrorId.LIST_FAILED, cause)
                .withRemedy("fix the cause that the message names; the server's tools and its other lists stay usable");
    }

    /// A problem that prevents use.
    public static Finding fail(Check check, ErrorId errorId, String cause) {
        return new Finding(check, errorId, Severity.FAIL, cause, List.of(), -1, null);
    }

    /// The same with these lines as evidence.
    public Finding shownBy(List<String> lines) {
        return shownBy(lines, -1);
    }

    /// The same with these lines as evidence, one of which names the cause.
    Finding shownBy(List<String> lines, int which) {
        return new Finding(check, errorId, severity, cause, lines, which, remedy);
    }

    /// The same with this remedy.
    public Finding withRemedy(String other) {
        return new Finding(check, errorId, severity, cause, evidence, decisive, other);
    }

    /// The error id, or the id of the check if nothing is wrong.
    public String id() {
        return errorId == null ? check.toString() : errorId.id();
    }
}
