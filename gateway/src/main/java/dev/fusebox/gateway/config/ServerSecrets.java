package dev.fusebox.gateway.config;

import dev.fusebox.client.redaction.Redactor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What of a server's texts is secret: of what stands in the file itself that which is called so, and every value that
/// came from the environment, unless neither its name nor its looks say so. Not thread-safe.
///
/// Headers and queries of addresses are not for it: all of them are secret, and their target says so.
final class ServerSecrets {
    /// Variables that every program gets and that tell nobody anything.
    private static final Set<String> ORDINARY =
            Set.of("PATH", "HOME", "LANG", "TZ", "TERM", "TMPDIR", "USER", "LOGNAME", "SHELL", "PWD");

    static final Pattern SECRET_NAME = Pattern.compile("(?i)token|secret|passw|passphrase|\\bpass\\b|_pass\\b"
            + "|pwd|\\bpw\\b|_pw\\b|\\bpat\\b|_pat\\b|auth|credential|cookie|private|dsn|bearer|jwt|webhook|licen[cs]e"
            + "|signature|[-_]key\\b|apikey|accesskey|^key$");

    /// What people name things with and nobody generates: one or two words, perhaps with numbers (`production`,
    /// `eu-west-1`, `localhost:8080`), the number of a version or an address, and where a service is.
    static final Pattern PLAIN = Pattern.compile("WORD(?:[-_.]WORD)?(?:[-:]\\d{1,4})?|\\d{1,3}(?:\\.\\d{1,3}){1,3}"
                    .replace("WORD", "(?:[A-Z]?[a-z]{1,12}|[A-Z]{1,12})")
            + "|https?://[A-Za-z0-9.-]+(?::\\d{1,5})?(?:/[a-z]{1,12}){0,2}/?");

    /// `--api-key=text`, or `API_KEY=text` as containers are given variables.
    static final Pattern ASSIGNMENT = Pattern.compile("(?s)-{0,2}([A-Za-z0-9_.-]+)=(.+)");

    /// The password in `postgres://user:password@host/`.
    static final Pattern PASSWORD = Pattern.compile("://[^/@\\s:]*:([^/@\\s]+)@");

    private final List<String> found = new ArrayList<>();

    /// A variable that was put into a text.
    void variable(String name, String value) {
        boolean isOrdinary = ORDINARY.contains(name) || name.startsWith("LC_");
        boolean isCalledSecret = SECRET_NAME.matcher(name).find();
        if (!isOrdinary && (isCalledSecret || !PLAIN.matcher(value).matches())) {
            found.add(value);
        }
    }

    /// A value under a name that somebody has chosen for it.
    void named(String name, String value) {
        if (SECRET_NAME.matcher(name).find()) {
            found.add(value);
        }
        passwords(value);
    }

    void named(Map<String, String> values) {
        values.forEach(this::named);
    }

    /// The arguments of a program, in which an option may be followed by its value.
    void arguments(List<String> args) {
        String option = "";
        for (String arg : args) {
            Matcher assigned = ASSIGNMENT.matcher(arg);
            if (assigned.matches()) {
                named(assigned.group(1), assigned.group(2));
            }
            named(option, arg);
            option = arg.startsWith("-") ? arg : "";
        }
    }

    private void passwords(String text) {
        Matcher matcher = PASSWORD.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
    }

    /// Whether a text holds one of them as it is.
    boolean areIn(String text) {
        return found.stream().anyMatch(secret -> secret.strip().length() >= Redactor.SHORTEST && text.contains(secret));
    }

    Redactor redactor() {
        return Redactor.of(found);
    }
}
