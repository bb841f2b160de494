package dev.fusebox.gateway.doctor;

import dev.fusebox.gateway.ailment.Ailment;
import dev.fusebox.protocol.VisibleText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one check has found. Immutable.
///
/// @param ailment what is wrong; null if nothing is
/// @param cause what was found, as a sentence without an end
/// @param evidence what shows it, a line each
/// @param remedy a command, or a place in a file and what to do there; null if there is nothing to do
public record Finding(
        Check check,
        @Nullable Ailment ailment,
        Severity severity,
        String cause,
        List<String> evidence,
        @Nullable String remedy) {
    public Finding {
        cause = VisibleText.of(cause);
        evidence = evidence.stream().map(VisibleText::of).toList();
    }

    /// All is well.
    public static Finding ok(Check check, String cause) {
        return new Finding(check, null, Severity.OK, cause, List.of(), null);
    }

    /// It works all the same.
    public static Finding warn(Check check, Ailment ailment, String cause) {
        return new Finding(check, ailment, Severity.WARN, cause, List.of(), null);
    }

    /// It does not work.
    public static Finding fail(Check check, Ailment ailment, String cause) {
        return new Finding(check, ailment, Severity.FAIL, cause, List.of(), null);
    }

    /// The same, shown by these lines.
    public Finding shownBy(List<String> lines) {
        return new Finding(check, ailment, severity, cause, lines, remedy);
    }

    /// The same, mended like that.
    public Finding mendedBy(String other) {
        return new Finding(check, ailment, severity, cause, evidence, other);
    }

    /// The id of what is wrong, or of the check if nothing is.
    public String id() {
        return ailment == null ? check.toString() : ailment.id();
    }
}
