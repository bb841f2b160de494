package dev.fusebox.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Collects the secrets in the texts of a server: values in the file that are secret by their name, and values
/// from the environment unless both their name and their form are harmless. Not thread-safe.
///
/// Does not handle headers and queries of addresses: all of them are secret, and their target marks them so.
final class ServerSecrets {
    /// Shorter values are words that occur in any text.
    private static final int SHORTEST = 6;

    /// Variables that every program gets; they hold no secrets.
    private static final Set<String> ORDINARY =
            Set.of("PATH", "HOME", "LANG", "TZ", "TERM", "TMPDIR", "USER", "LOGNAME", "SHELL", "PWD");

    static final Pattern SECRET_NAME = Pattern.compile("(?i)token|secret|passw|passphrase|\\bpass\\b|_pass\\b"
            + "|pwd|\\bpw\\b|_pw\\b|\\bpat\\b|_pat\\b|auth|credential|cookie|private|dsn|bearer|jwt|webhook|licen[cs]e"
            + "|signature|[-_]key\\b|apikey|accesskey|^key$");

    /// Names that people choose and no program generates: one or two words, perhaps with numbers (`production`,
    /// `eu-west-1`, `localhost:8080`), the number of a version or an address, and where a service is.
    static final Pattern PLAIN = Pattern.compile("WORD(?:[-_.]WORD)?(?:[-:]\\d{1,4})?|\\d{1,3}(?:\\.\\d{1,3}){1,3}"
                    .replace("WORD", "(?:[A-Z]?[a-z]{1,12}|[A-Z]{1,12})")
            + "|https?://[A-Za-z0-9.-]+(?::\\d{1,5})?(?:/[a-z]{1,12}){0,2}/?");

    /// `--api-key=text`, or `API_KEY=text` as containers are given variables.
    static final Pattern ASSIGNMENT = Pattern.compile("(?s)-{0,2}([A-Za-z0-9_.-]+)=(.+)");

    /// The password in `postgres://user:password@host/`.
    static final Pattern PASSWORD = Pattern.compile("://[^/@\\s:]*:([^/@\\s]+)@");

    /// `postgres://host/name`: where a service is, and no password. The path of a web address may be one.
    static final Pattern PLACE = Pattern.compile("(?!https?:)[a-z][a-z0-9+.-]*://[^@]*");

    /// `--token-file` and `PASSWORD_STORE_DIR` are followed by the path of what holds the secret.
    private static final Pattern PATH_NAME = Pattern.compile("(?i).*(file|store|path|dir|directory|folder)");

    private final List<String> found = new ArrayList<>();

    /// Values that are secrets by their name or form, regardless of their origin.
    private final List<String> certain = new ArrayList<>();

    /// A variable that was put into a text.
    void variable(String name, String value) {
        boolean isOrdinary = ORDINARY.contains(name) || name.startsWith("LC_");
        if (isOrdinary || isPlace(name, value)) {
            return;
        }
        if (SECRET_NAME.matcher(name).find() || !PLAIN.matcher(value).matches()) {
            found.add(value);
        }
        note(name, value);
    }

    /// A value that is a secret whatever its name and form.
    void secret(String value) {
        found.add(value);
        certain.add(value);
    }

    /// A value with a name.
    void named(String name, String value) {
        if (SECRET_NAME.matcher(name).find() && !isPlace(name, value)) {
            found.add(value);
        }
        note(name, value);
        passwords(value);
    }

    private void note(String name, String value) {
        if (SecretPatterns.isSecret(name, value) || !SecretPatterns.spans(value).isEmpty()) {
            certain.add(value);
        }
    }

    /// Whether a value is only a location.
    private static boolean isPlace(String name, String value) {
        boolean isFile = PATH_NAME.matcher(name).matches()
                && SecretPatterns.FILE.matcher(value).matches();
        return (isFile || PLACE.matcher(value).matches())
                && SecretPatterns.spans(value).isEmpty();
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
            named(arg.startsWith("-") ? "" : option, arg);
            option = arg.startsWith("-") && !arg.contains("=") ? arg : "";
        }
    }

    private void passwords(String text) {
        Matcher matcher = PASSWORD.matcher(text);
        while (matcher.find()) {
            String password = matcher.group(1);
            // A short password is redacted together with the name of its user.
            boolean isShort = password.length() < SHORTEST;
            found.add(
                    isShort
                            ? matcher.group()
                                    .substring("://".length(), matcher.group().length() - 1)
                            : password);
        }
    }

    /// Whether a text contains a value that is a secret by its name or form.
    boolean areIn(String text) {
        return PASSWORD.matcher(text).find()
                || certain.stream().anyMatch(secret -> secret.strip().length() >= SHORTEST && text.contains(secret));
    }

    /// All secrets found so far.
    List<String> values() {
        return List.copyOf(found);
    }
}
